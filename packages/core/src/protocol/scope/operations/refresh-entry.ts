import { CodedError } from '../../../base/errors.ts';
import type { ChainTime } from '../../../base/time.ts';
import { scopeRejection } from '../errors.ts';
import type { OracleMappings } from '../layout/configuration.ts';
import type { DatedPrice, OraclePrices, OracleTwaps } from '../layout/oracle-prices.ts';
import { type ComputedPrice, computedPrice } from '../math/computed-price.ts';
import { mappingEntry } from '../math/mapping-entry.ts';
import { type Price, priceToWad } from '../math/price-arithmetic.ts';
import { type EmaTwap, updateTwap } from '../math/twap.ts';
import { oracleTypeName, ZERO_PRICE_TYPES } from '../oracle-types.ts';

export type ScopeFeed = {
  readonly prices: OraclePrices;
  readonly mappings: OracleMappings;
  readonly twaps: OracleTwaps;
};

/** What a refresh of an entry stores. */
export type EntryRefresh = {
  readonly price: DatedPrice;
  readonly twap: EmaTwap | undefined;
  /** A price that is too far from its reference is not stored, but its sample of the TWAP is. */
  readonly rejection: CodedError<'PROGRAM_REFUSES'> | undefined;
};

const DEFAULT_TOLERANCE_BPS = 500;
const FULL_BPS = 10_000n;
const GENERIC_BYTES = 24;

/**
 * A refresh of an entry that the feed itself determines. Undefined for an entry that is read from accounts of other
 * programs; `frozen` for one that is computed but not stored. Throws the program's error.
 */
export function refreshEntry(
  feed: ScopeFeed,
  index: number,
  time: ChainTime,
): EntryRefresh | 'frozen' | undefined {
  const { mappings, twaps } = feed;
  const accounts = { mappings, prices: feed.prices.prices, twaps: twaps.twaps };
  const computed = computedPrice(accounts, index, time);
  return computed && refreshEntryWith(feed, index, computed);
}

/** A refresh of an entry with a price that was read from accounts of other programs. */
export function refreshEntryWith(
  feed: ScopeFeed,
  index: number,
  computed: ComputedPrice,
): EntryRefresh | 'frozen' {
  const { mappings, twaps } = feed;
  const entry = mappingEntry(mappings, index);
  checkZero(computed.price, entry.oracleType);
  if (entry.isFrozen) return 'frozen';
  const { genericData = new Uint8Array(GENERIC_BYTES), ...sample } = computed;
  const before = twaps.twaps[index];
  return {
    price: { ...sample, genericData },
    twap: before && updateTwap(before, sample, mappings.twapEnabled[index] ?? 0),
    rejection: refPriceRejection(feed, entry, computed.price),
  };
}

function checkZero({ value }: Price, oracleType: number): void {
  const name = oracleTypeName(oracleType);
  if (value !== 0n || (name !== undefined && ZERO_PRICE_TYPES.has(name))) return;
  throw scopeRejection('PriceNotValid', 'the price is zero');
}

function refPriceRejection(
  { prices }: ScopeFeed,
  { refPrice, refPriceToleranceBps }: ReturnType<typeof mappingEntry>,
  price: Price,
): EntryRefresh['rejection'] {
  if (refPrice === undefined) return undefined;
  const reference = prices.prices[refPrice];
  if (reference === undefined) {
    const reason = `it refers to price ${refPrice}`;
    throw new CodedError('MALFORMED_DATA', { what: 'oracle entry', reason });
  }
  const [current, expected] = [priceToWad(price), priceToWad(reference.price)];
  const difference = current > expected ? current - expected : expected - current;
  const tolerance = BigInt(refPriceToleranceBps ?? DEFAULT_TOLERANCE_BPS);
  if (difference * FULL_BPS <= expected * tolerance) return undefined;
  const reason = `the price differs from entry ${refPrice} by more than ${tolerance} bps`;
  return scopeRejection('PriceNotValid', reason);
}
