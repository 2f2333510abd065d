import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { CodedError } from '../../../base/errors.ts';
import type { OracleMappingsView } from '../layout/configuration.ts';
import { SCOPE_PROGRAMS } from '../program.ts';
import { type EmaPeriod, enabledPeriods } from './twap.ts';

/** The source of one price entry. */
export type MappingEntry = {
  /** The price account. Undefined for an entry that is unused or computed from other entries. */
  readonly priceInfoAccount: Address | undefined;
  readonly oracleType: number;
  /** A frozen entry is no longer refreshed, so its price only gets older. */
  readonly isFrozen: boolean;
  /** The enabled TWAPs of this price. */
  readonly twaps: readonly EmaPeriod[];
  /** For a TWAP entry: its source and period. */
  readonly averageOf: { readonly index: number; readonly period: EmaPeriod } | undefined;
  /** The entry that this price is compared with on a refresh. */
  readonly refPrice: number | undefined;
  /** Undefined is the program's default of 500. */
  readonly refPriceToleranceBps: number | undefined;
};

const FROZEN = 0x80;
const NONE = 65535;

/** The oracle types of TWAPs. */
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
    throw new CodedError('MALFORMED_DATA', {
      what: 'oracle entry',
      reason: `there is no index ${index}`,
    });
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

/** `twapSource` holds the tolerance if the entry has a reference price and is not a TWAP. */
const hasTolerance = (entry: {
  readonly period: EmaPeriod | undefined;
  readonly source: number;
  readonly refPrice: number;
}): boolean => entry.period === undefined && entry.refPrice !== NONE && entry.source !== NONE;
