import type { Address } from '../../base/encoding/address.ts';
import type { Elements } from '../../base/encoding/layout.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { ratioOfSf } from '../../base/numbers/ratio.ts';
import type { Sf } from '../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../base/time.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import type { LendingRules } from '../../protocol/klend/lending-rules.ts';
import type { OracleReading } from '../../protocol/klend/operations/refresh/refresh-reserve.ts';
import type { DatedPriceView } from '../../protocol/scope/layout/oracle-prices.ts';
import { chainPrice, chainRatio, hasZeroEntry } from '../../protocol/scope/math/price-chain.ts';

/** The entries of a price account; undefined if it is unknown. */
export type PriceFeeds = (feed: Address) => Elements<DatedPriceView> | undefined;

/** USD per whole token. */
export type ReservePrice = {
  /** In the precision of the lending program: rounded down to 60 bits. */
  readonly price: Sf;
  /** In the precision of the oracle. */
  readonly exactPrice: Ratio;
  readonly priceSource: PriceSource;
  /** The time of the price: of the oldest entry of the oracle's chain, or of the stored price. */
  readonly priceUnix: UnixSeconds;
};

/** The reserve's price feed, or the price that the last refresh stored in the reserve. */
export type PriceSource = 'feed' | 'stored';

type TokenInfo = ReserveView['config']['tokenInfo'];
type ZeroPriceRule = Pick<LendingRules, 'zeroPrice'>;

/**
 * What a refresh reads of the reserve's Scope prices. The program reads the TWAP only if the reserve compares it with
 * the price. Throws MATH_OVERFLOW where the program panics.
 */
export function readScopePrices(
  tokenInfo: TokenInfo,
  prices: Elements<DatedPriceView>,
  rules: ZeroPriceRule,
): OracleReading {
  if (isZeroReading(tokenInfo, prices, rules)) return { price: undefined, twap: undefined };
  const { scopeConfiguration, maxTwapDivergenceBps } = tokenInfo;
  const { priceChain, twapChain } = scopeConfiguration;
  return {
    price: chainPrice(prices, priceChain),
    twap: maxTwapDivergenceBps === 0n ? undefined : chainPrice(prices, twapChain),
  };
}

/** Whether a factor of the price, or of a TWAP that the reserve compares, is a zero that counts as no reading. */
function isZeroReading(
  { scopeConfiguration, maxTwapDivergenceBps }: TokenInfo,
  prices: Elements<DatedPriceView>,
  { zeroPrice }: ZeroPriceRule,
): boolean {
  if (zeroPrice === 'loaded') return false;
  const { priceChain, twapChain } = scopeConfiguration;
  if (hasZeroEntry(prices, priceChain)) return true;
  return maxTwapDivergenceBps !== 0n && hasZeroEntry(prices, twapChain);
}

/** The age of a price, and the maximum age that the lending program accepts in its reserve. */
export type PriceAge = {
  readonly mint: Address;
  readonly ageSeconds: bigint;
  readonly maxAgeSeconds: bigint;
};

export const isStalePrice = ({ ageSeconds, maxAgeSeconds }: PriceAge): boolean =>
  ageSeconds > maxAgeSeconds;

/** Seconds since the oldest price of each token that is older than the limit of its reserve, sorted by mint. */
export function stalePriceAges(ages: Iterable<PriceAge>): ReadonlyMap<Address, bigint> {
  const oldest = new Map<Address, bigint>();
  for (const age of ages) {
    if (!isStalePrice(age)) continue;
    const other = oldest.get(age.mint);
    if (other === undefined || other < age.ageSeconds) oldest.set(age.mint, age.ageSeconds);
  }
  return new Map([...oldest].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Zero for a time in the future. */
export const secondsSince = (unix: UnixSeconds, now: UnixSeconds): bigint =>
  now > unix ? now - unix : 0n;

/**
 * The oracle price of a reserve. Falls back to the stored price if the feed is unknown, has no
 * price or a zero that a refresh does not load, or if the stored price is newer: of several oracles the program uses the
 * newest.
 */
export function reservePrice(
  { config, liquidity }: Pick<ReserveView, 'config' | 'liquidity'>,
  feeds: PriceFeeds,
  rules: ZeroPriceRule,
): ReservePrice {
  const { tokenInfo } = config;
  const { priceFeed, priceChain } = tokenInfo.scopeConfiguration;
  const found = feeds(priceFeed);
  const isMissing = found === undefined || isZeroReading(tokenInfo, found, rules);
  const prices = isMissing ? undefined : found;
  const oracle = prices === undefined ? undefined : chainPrice(prices, priceChain);
  const exactPrice = prices === undefined ? undefined : chainRatio(prices, priceChain);
  const storedUnix = liquidity.marketPriceLastUpdatedTs;
  const isLoadable = oracle?.price !== 0n || rules.zeroPrice === 'loaded';
  const isNewest = oracle !== undefined && oracle.unix >= storedUnix;
  if (isLoadable && isNewest && exactPrice !== undefined) {
    return { price: oracle.price, exactPrice, priceSource: 'feed', priceUnix: oracle.unix };
  }
  const price = liquidity.marketPriceSf;
  return {
    price,
    exactPrice: ratioOfSf(price),
    priceSource: 'stored',
    priceUnix: storedUnix,
  };
}
