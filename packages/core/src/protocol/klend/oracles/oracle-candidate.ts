import { CodedError } from '../../../base/errors.ts';
import { FRACTION_BITS, type Sf, sfFromBits } from '../../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import type { OraclePrice } from '../math/price-status.ts';

/** What one oracle of a reserve says. */
export type OracleCandidate = {
  readonly unix: UnixSeconds;
  /** Undefined if the oracle is too uncertain about it: the program then uses none, not that of another oracle. */
  readonly price: OraclePrice | undefined;
  readonly twap: OraclePrice | undefined;
};

/** An oracle that reports a zero, which counts as no reading. */
export const ZERO_READING = 'zero';

/** Undefined for an oracle that cannot be read. */
export type OracleResult = OracleCandidate | typeof ZERO_READING | undefined;

/** The program accepts a deviation of at most 2 % of the price. */
export const CONFIDENCE_FACTOR = 50n;

/** The program has no larger powers of ten. */
const MAX_DECIMALS = 36n;

/** The candidate with the newest price. Of equal times the first one, in the order Pyth, Switchboard, Scope. */
export function newestCandidate(candidates: readonly OracleResult[]): OracleCandidate | undefined {
  let newest: OracleCandidate | undefined;
  for (const candidate of candidates) {
    if (candidate === undefined || candidate === ZERO_READING) continue;
    if (newest === undefined || candidate.unix > newest.unix) newest = candidate;
  }
  return newest;
}

/** A decimal number in 60 bits, rounded down. */
export function decimalToSf(value: bigint, decimals: bigint): Sf {
  if (decimals > MAX_DECIMALS) {
    throw new CodedError('MATH_OVERFLOW', { what: 'decimals of a price', bits: 128 });
  }
  return sfFromBits((value << FRACTION_BITS) / 10n ** decimals);
}
