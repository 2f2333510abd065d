import type { Address } from '../../../base/encoding/address.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import { type OracleTypeName, oracleTypeName } from '../oracle-types.ts';
import type { PriceFeed } from './computed-price.ts';
import { type ComputedSettings, computedSettings } from './computed-settings.ts';
import { mappingEntry } from './mapping-entry.ts';
import type { Price } from './price-arithmetic.ts';
import type { EmaPeriod } from './twap.ts';

/** A price entry and where its price comes from. */
export type PriceOrigin = {
  readonly index: number;
  /** Undefined for a type of a later release. */
  readonly type: OracleTypeName | undefined;
  readonly price: Price;
  /** Zero for an entry that was never written. */
  readonly unixTimestamp: UnixSeconds;
  /** A frozen price only gets older. */
  readonly isFrozen: boolean;
  /** The account of another program that has the price. */
  readonly account: Address | undefined;
  readonly averageOver: EmaPeriod | undefined;
  readonly settings: ComputedSettings | undefined;
  /** The entries that it is computed from. */
  readonly sources: readonly PriceOrigin[];
};

/** Deeper than any feed. */
const MAX_DEPTH = 8;

/**
 * An entry with all entries behind it. Undefined if there is no such entry. `path` has the entries that it is a source
 * of: an entry of a cycle is shown once, without sources.
 */
export function priceOrigin(
  feed: Omit<PriceFeed, 'twaps'>,
  index: number,
  path: readonly number[] = [],
): PriceOrigin | undefined {
  const dated = feed.prices.at(index);
  const generic = feed.mappings.generic.at(index);
  if (dated === undefined || generic === undefined) return undefined;
  const entry = mappingEntry(feed.mappings, index);
  const settings = computedSettings(entry.oracleType, generic);
  const indexes = [...(settings ? sourcesOf(settings) : []), entry.averageOf?.index].filter(
    (each) => each !== undefined,
  );
  return {
    index,
    type: oracleTypeName(entry.oracleType),
    price: { value: dated.price.value, exp: dated.price.exp },
    unixTimestamp: dated.unixTimestamp,
    isFrozen: entry.isFrozen,
    account: entry.priceInfoAccount,
    averageOver: entry.averageOf?.period,
    settings,
    sources:
      path.length === MAX_DEPTH || path.includes(index)
        ? []
        : indexes.flatMap((source) => priceOrigin(feed, source, [...path, index]) ?? []),
  };
}

/** The entries that the settings name, in their order. */
export function sourcesOf(settings: ComputedSettings): readonly number[] {
  switch (settings.kind) {
    case 'fixed':
    case 'discount to maturity':
      return [];
    case 'product':
    case 'condition':
      return settings.sources;
    case 'most recent of':
      return [...settings.sources, settings.cap].filter((each) => each !== undefined);
    case 'capped and floored':
      return [settings.source, settings.cap, settings.floor].filter((each) => each !== undefined);
    case 'published average':
      return [settings.source];
  }
}
