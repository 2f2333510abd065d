import type { Elements } from '../../../base/encoding/layout.ts';
import { CodedError } from '../../../base/errors.ts';
import { mulWad } from '../../../base/numbers/decimal-wad.ts';
import { type ChainTime, toSlot, toUnixSeconds } from '../../../base/time.ts';
import { scopeRejection } from '../errors.ts';
import type { OracleMappingsView } from '../layout/configuration.ts';
import type { DatedPriceView } from '../layout/oracle-prices.ts';
import { type ComputedSettings, type Condition, computedSettings } from './computed-settings.ts';
import { mappingEntry } from './mapping-entry.ts';
import { comparePrices, type Price, priceFromWad, priceToWad } from './price-arithmetic.ts';
import { publishedAverage } from './published-average.ts';
import { type EmaTwapView, isTwapValid, type Sample, twapPrice } from './twap.ts';

/** The accounts of a price feed. */
export type PriceFeed = {
  readonly prices: Elements<DatedPriceView>;
  readonly mappings: OracleMappingsView;
  readonly twaps: Elements<EmaTwapView>;
};

/** A price, with the state of its source if it is copied as well. */
export type ComputedPrice = Sample & { readonly genericData?: Uint8Array };

type SettingsOf<Kind extends ComputedSettings['kind']> = Extract<
  ComputedSettings,
  { readonly kind: Kind }
>;

const FULL_BPS = 10_000n;
const SECONDS_PER_YEAR = 365n * 24n * 60n * 60n;

/**
 * The price of an entry that the program computes from the feed itself: a constant, a TWAP, or a function of other
 * entries and the time. Throws the program's error. Undefined for an entry that is read from accounts of other
 * programs.
 */
export function computedPrice(
  feed: PriceFeed,
  index: number,
  time: ChainTime,
): ComputedPrice | undefined {
  const { oracleType, averageOf } = mappingEntry(feed.mappings, index);
  if (averageOf !== undefined) return averagePrice(feed, averageOf, time);
  const generic = feed.mappings.generic.at(index) ?? new Uint8Array();
  const settings = computedSettings(oracleType, generic);
  return settings && priceOf(feed, settings, time);
}

function priceOf(
  { prices, mappings }: PriceFeed,
  settings: ComputedSettings,
  time: ChainTime,
): ComputedPrice {
  switch (settings.kind) {
    case 'fixed':
      return atTime(settings.price, time);
    case 'discount to maturity':
      return atTime(discountedPrice(settings, time), time);
    case 'most recent of':
      return mostRecentOf(prices, settings, time);
    case 'capped and floored':
      return cappedAndFloored(prices, settings);
    case 'product':
      return productOf(prices, settings, time);
    case 'condition':
      return conditionPrice(prices, settings);
    case 'published average':
      return publishedAverage({ prices, mappings }, settings.source, time);
  }
}

const atTime = (price: Price, { slot, unix }: ChainTime): Sample => ({
  price,
  lastUpdatedSlot: slot,
  unixTimestamp: unix,
});

function averagePrice(
  { twaps }: PriceFeed,
  { index, period }: NonNullable<ReturnType<typeof mappingEntry>['averageOf']>,
  { unix }: ChainTime,
): Sample {
  const twap = twaps.at(index);
  if (twap === undefined) throw scopeRejection('TwapSourceIndexNotSet', 'the TWAP has no source');
  if (unix < twap.lastUpdateUnixTimestamp) {
    throw scopeRejection('BadTimestamp', 'the last sample of the TWAP is in the future');
  }
  if (!isTwapValid(twap, period, unix)) {
    const reason = `the TWAP of ${period} has too few samples`;
    throw scopeRejection('TwapNotEnoughSamplesInPeriod', reason);
  }
  return twapPrice(twap, period);
}

function discountedPrice(
  { discountPerYearBps, maturity }: SettingsOf<'discount to maturity'>,
  { unix }: ChainTime,
): Price {
  const left = maturity - unix;
  if (left <= 0n) return { value: 1n, exp: 0n };
  const one = 10n ** 9n;
  const discount = (one * left * BigInt(discountPerYearBps)) / (FULL_BPS * SECONDS_PER_YEAR);
  return { value: discount < one ? one - discount : 0n, exp: 9n };
}

/** Of sources with the same time the first one counts. */
function mostRecentOf(
  prices: Elements<DatedPriceView>,
  { sources, maxDivergenceBps, maxAgeSeconds, cap }: SettingsOf<'most recent of'>,
  { unix }: ChainTime,
): ComputedPrice {
  const found = sources.map((index) => sourceAt(prices, index));
  sources.forEach((index, i) => {
    checkAge({ index, source: found[i] }, maxAgeSeconds, unix);
  });
  checkDivergence(found, maxDivergenceBps);
  const newest = found.reduce<DatedPriceView | undefined>(
    (best, each) => (each.unixTimestamp > (best?.unixTimestamp ?? 0n) ? each : best),
    undefined,
  );
  if (newest === undefined) return UNWRITTEN;
  const chosen = sampleOf(newest);
  if (cap === undefined) return { ...chosen, genericData: newest.genericData };
  return { ...chosen, price: smaller(chosen.price, sourceAt(prices, cap).price) };
}

const UNWRITTEN: Sample = {
  price: { value: 0n, exp: 0n },
  lastUpdatedSlot: toSlot(0n),
  unixTimestamp: toUnixSeconds(0n),
};

type SourceAge = { readonly index: number; readonly source: Sample | undefined };

/** A source from the future has the age 0. */
function checkAge({ index, source }: SourceAge, maxAgeSeconds: bigint, unix: bigint): void {
  const age = unix - (source?.unixTimestamp ?? 0n);
  if (age <= maxAgeSeconds) return;
  const reason = `source ${index} is ${age} seconds old, but the maximum is ${maxAgeSeconds}`;
  throw scopeRejection('CompositeOracleMaxAgeViolated', reason);
}

/** The spread must be below its limit, so that equal prices are fine and a single price of zero is not. */
function checkDivergence(sources: readonly Sample[], maxDivergenceBps: number): void {
  const sorted = sources.map(({ price }) => price).toSorted(comparePrices);
  const [least = { value: 0n, exp: 0n }, greatest = least] = [sorted[0], sorted.at(-1)];
  const low = priceToWad(least);
  const spread = priceToWad(greatest) - low;
  if (low * BigInt(maxDivergenceBps) > spread * FULL_BPS) return;
  const reason = `the sources differ by ${maxDivergenceBps} bps or more`;
  throw scopeRejection('MostRecentOfMaxDivergenceBpsViolated', reason);
}

function cappedAndFloored(
  prices: Elements<DatedPriceView>,
  settings: SettingsOf<'capped and floored'>,
): Sample {
  const source = sampleOf(sourceAt(prices, settings.source));
  const cap = settings.cap === undefined ? undefined : boundAt(prices, settings.cap);
  const floor = settings.floor === undefined ? undefined : boundAt(prices, settings.floor);
  if (cap !== undefined && floor !== undefined && comparePrices(cap, floor) < 0) {
    throw scopeRejection('PriceNotValid', 'the cap is below the floor');
  }
  const capped = cap === undefined ? source.price : smaller(source.price, cap);
  const price = floor === undefined || comparePrices(capped, floor) > 0 ? capped : floor;
  return { ...source, price };
}

/** Of equal prices the first one, which may have other decimals. */
const smaller = (a: Price, b: Price): Price => (comparePrices(a, b) <= 0 ? a : b);

/** Rounds after each factor. The oldest source counts. */
function productOf(
  prices: Elements<DatedPriceView>,
  { sources, maxAgeSeconds }: SettingsOf<'product'>,
  { unix }: ChainTime,
): Sample {
  if (sources.length === 0) {
    throw scopeRejection('OracleConfigInvalidSourceIndices', 'the product has no sources');
  }
  let price: Price = { value: 1n, exp: 0n };
  const used = sources.map((index) => {
    const source = sourceAt(prices, index);
    checkAge({ index, source }, maxAgeSeconds, unix);
    price = multiplyPrices(price, source.price);
    return source;
  });
  return { price, ...oldestOf(used) };
}

function multiplyPrices(a: Price, b: Price): Price {
  try {
    return priceFromWad(mulWad(priceToWad(a), priceToWad(b)));
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw scopeRejection('MathOverflow', 'the product exceeds the range of a price');
  }
}

function conditionPrice(
  prices: Elements<DatedPriceView>,
  { condition, toleranceBps, sources }: SettingsOf<'condition'>,
): Sample {
  const used = sources.map((index) => sourceAt(prices, index));
  const values = used.map(({ price }) => priceToWad(price));
  // A price that rounds to zero is still not zero.
  const isMet =
    condition === 'NonZero'
      ? used.some(({ price }) => price.value > 0n)
      : holds(condition, values, toleranceBps);
  return { price: { value: isMet ? 1n : 0n, exp: 0n }, ...oldestOf(used) };
}

function holds(
  condition: Exclude<Condition, 'NonZero'>,
  [a = 0n, b = 0n, c = 0n]: readonly bigint[],
  toleranceBps: number,
): boolean {
  const difference = a > b ? a - b : b - a;
  const isNear = difference <= (b * BigInt(toleranceBps)) / FULL_BPS;
  const isBetween = (b <= a && a <= c) || (c <= a && a <= b);
  switch (condition) {
    case 'Gt':
      return a > b;
    case 'Gte':
      return a >= b;
    case 'Lt':
      return a < b;
    case 'Lte':
      return a <= b;
    case 'Eq':
      return a === b;
    case 'Neq':
      return a !== b;
    case 'WithinRangeAbs':
      return isBetween;
    case 'OutsideRangeAbs':
      return !isBetween;
    case 'WithinRangeBps':
      return isNear;
    case 'OutsideRangeBps':
      return !isNear;
  }
}

function sourceAt(prices: Elements<DatedPriceView>, index: number): DatedPriceView {
  const source = prices.at(index);
  if (source !== undefined) return source;
  throw scopeRejection('CompositeOracleInvalidSourceIndex', `there is no entry ${index}`);
}

function boundAt(prices: Elements<DatedPriceView>, index: number): Price {
  const bound = prices.at(index);
  if (bound === undefined) throw scopeRejection('BadTokenNb', `there is no entry ${index}`);
  return bound.price;
}

/** Without the state that the source's own type keeps. */
const sampleOf = ({ price, lastUpdatedSlot, unixTimestamp }: Sample): Sample => ({
  price: { value: price.value, exp: price.exp },
  lastUpdatedSlot,
  unixTimestamp,
});

function oldestOf(sources: readonly Sample[]): Omit<Sample, 'price'> {
  const [first = UNWRITTEN, ...others] = sources;
  return others.reduce(
    (oldest, { lastUpdatedSlot: slot, unixTimestamp: unix }) => ({
      lastUpdatedSlot: slot < oldest.lastUpdatedSlot ? slot : oldest.lastUpdatedSlot,
      unixTimestamp: unix < oldest.unixTimestamp ? unix : oldest.unixTimestamp,
    }),
    { lastUpdatedSlot: first.lastUpdatedSlot, unixTimestamp: first.unixTimestamp },
  );
}
