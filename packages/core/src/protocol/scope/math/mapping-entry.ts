import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { CodedError } from '../../../base/errors.ts';
import type { OracleMappingsView } from '../layout/oracle-mappings.ts';
import { SCOPE_PROGRAMS } from '../program.ts';
import { type EmaPeriod, enabledPeriods } from './twap.ts';

/** Where the price of one entry comes from. */
export type MappingEntry = {
  /** The account it is read from; undefined for one computed from other entries, or not in use. */
  readonly priceInfoAccount: Address | undefined;
  readonly oracleType: number;
  /** Not refreshed any more: whoever uses the price only sees it age. */
  readonly isFrozen: boolean;
  /** The averages that are kept of this price. */
  readonly twaps: readonly EmaPeriod[];
  /** For an entry that is itself an average: of what, and over how long. */
  readonly averageOf: { readonly index: number; readonly period: EmaPeriod } | undefined;
  /** The entry this one must be close to when it is refreshed. */
  readonly refPrice: number | undefined;
  /** How close; undefined is the program's default of 500. */
  readonly refPriceToleranceBps: number | undefined;
};

const FROZEN = 0x80;
const NONE = 65535;

/** The oracle types of averages. */
const AVERAGES: ReadonlyMap<number, EmaPeriod> = new Map([
  [12, '1h'],
  [40, '8h'],
  [41, '24h'],
  [42, '7d'],
]);

export function mappingEntry(mappings: OracleMappingsView, index: number): MappingEntry {
  const rawType = mappings.priceTypes[index];
  const account = mappings.priceInfoAccounts.at(index);
  const source = mappings.twapSource.at(index) ?? NONE;
  const refPrice = mappings.refPrice.at(index) ?? NONE;
  if (rawType === undefined || account === undefined) {
    throw new CodedError('MALFORMED_DATA', { what: 'oracle entry', reason: `no index ${index}` });
  }
  const oracleType = rawType & ~FROZEN;
  const period = AVERAGES.get(oracleType);
  const isComputed = account === ZERO_ADDRESS || SCOPE_PROGRAMS.includes(account);
  return {
    priceInfoAccount: isComputed ? undefined : account,
    oracleType,
    isFrozen: (rawType & FROZEN) !== 0,
    twaps: enabledPeriods(mappings.twapEnabled[index] ?? 0),
    averageOf: period === undefined ? undefined : { index: source, period },
    refPrice: refPrice === NONE ? undefined : refPrice,
    refPriceToleranceBps: hasTolerance({ period, source, refPrice }) ? source : undefined,
  };
}

/** `twapSource` holds the tolerance for an entry that has a reference and is no average. */
const hasTolerance = (facts: {
  readonly period: EmaPeriod | undefined;
  readonly source: number;
  readonly refPrice: number;
}): boolean => facts.period === undefined && facts.refPrice !== NONE && facts.source !== NONE;
