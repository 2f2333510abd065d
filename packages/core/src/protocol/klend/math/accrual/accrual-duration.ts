import { CodedError } from '../../../../base/errors.ts';
import { type ChainTime, type Slot, toUnixSeconds } from '../../../../base/time.ts';
import type { LendingRules } from '../../lending-rules.ts';

/** The program assumes two slots per second, whatever the real slot time is. */
export const SLOTS_PER_SECOND = 2n;

export const SECONDS_PER_YEAR = 31_536_000n;

export const SLOTS_PER_YEAR = SLOTS_PER_SECOND * SECONDS_PER_YEAR;

/** The length of a slot that follows from it. */
export const PROGRAM_SLOT_MS = 500n;

/** A time in the units in which a reserve charges interest: slots or seconds. */
export type AccrualDuration = { readonly units: bigint; readonly unitsPerYear: bigint };

/** Whether a reserve charges interest per slot (`legacy`) or per second of the clock (`trueApr`). */
export type InterestRateBasis = 'legacy' | 'trueApr';

const MAX_TIMESTAMP = 2n ** 32n - 1n;

const BASES: readonly InterestRateBasis[] = ['legacy', 'trueApr'];

type BasisSource = { readonly interestRateBasis: number };

type Updated = { readonly slot: Slot; readonly timestamp: number };

/** Throws MALFORMED_DATA for a value that no known release writes: the program panics. */
export function interestRateBasis(
  { interestRateBasis: value }: BasisSource,
  { accrualBasis }: Pick<LendingRules, 'accrualBasis'>,
): InterestRateBasis {
  const basis = accrualBasis === 'slots' ? 'legacy' : BASES[value];
  if (basis !== undefined) return basis;
  throw new CodedError('MALFORMED_DATA', {
    what: 'interest rate basis of the reserve',
    reason: `${value} is not known`,
  });
}

/** The value of a basis in the configuration of a reserve. */
export const encodeInterestRateBasis = (basis: InterestRateBasis): number => BASES.indexOf(basis);

/** Whether a known release writes the value. */
export const isKnownBasis = ({ interestRateBasis: value }: BasisSource): boolean =>
  BASES[value] !== undefined;

/**
 * The time since an account's last update, in the units of the reserve. Seconds count from the first update that has a
 * time, and a clock that went back counts as no time. Slots that go back fail, as in the program.
 */
export function accrualDuration(
  basis: InterestRateBasis,
  from: Updated,
  to: ChainTime,
): AccrualDuration {
  if (basis === 'legacy') {
    return { units: slotsElapsed(from.slot, to.slot), unitsPerYear: SLOTS_PER_YEAR };
  }
  const since = BigInt(from.timestamp);
  if (since !== 0n && to.unix < 0n) throw timeOverflow();
  const units = since === 0n || to.unix < since ? 0n : to.unix - since;
  return { units, unitsPerYear: SECONDS_PER_YEAR };
}

/** The time, or that of the newest update: no account is accrued to a time before its own. */
export function latestTime({ slot, unix }: ChainTime, updates: Iterable<Updated>): ChainTime {
  let latest = { slot, unix };
  for (const { slot: updated, timestamp } of updates) {
    const since = toUnixSeconds(BigInt(timestamp));
    latest = {
      slot: updated > latest.slot ? updated : latest.slot,
      unix: since > latest.unix ? since : latest.unix,
    };
  }
  return latest;
}

/** What an update writes. Throws for a time that does not fit, as the program panics. */
export function updateTime<Stored extends Updated>(
  lastUpdate: Stored,
  { slot, unix }: ChainTime,
  { accrualBasis }: Pick<LendingRules, 'accrualBasis'>,
): Stored {
  if (accrualBasis === 'slots') return { ...lastUpdate, slot };
  if (unix < 0n || unix > MAX_TIMESTAMP) throw timeOverflow();
  return { ...lastUpdate, slot, timestamp: Number(unix) };
}

/** A duration in seconds, in the units of the reserve. */
export const durationOfSeconds = (basis: InterestRateBasis, seconds: bigint): AccrualDuration =>
  basis === 'legacy'
    ? { units: seconds * SLOTS_PER_SECOND, unitsPerYear: SLOTS_PER_YEAR }
    : { units: seconds, unitsPerYear: SECONDS_PER_YEAR };

const timeOverflow = () =>
  new CodedError('MATH_OVERFLOW', { what: 'time of the update', bits: 32 });

/** Throws for a slot before the last update, as the program does. */
function slotsElapsed(from: Slot, to: Slot): bigint {
  if (to < from) throw new CodedError('MATH_OVERFLOW', { what: 'number of slots', bits: 64 });
  return to - from;
}
