import type { Address } from '../../base/encoding/address.ts';
import type { Elements } from '../../base/encoding/layout.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { ratioOfSf } from '../../base/numbers/ratio.ts';
import type { Sf } from '../../base/numbers/scaled-fraction.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import type { DatedPriceView } from '../../protocol/scope/layout/oracle-prices.ts';
import { chainPrice, chainRatio } from '../../protocol/scope/math/price-chain.ts';

/** Entries of a price account; undefined where it is not known. */
export type PriceFeeds = (feed: Address) => Elements<DatedPriceView> | undefined;

/** USD for a whole token. */
export type ReservePrice = {
  /** As the lending program counts with it: rounded down to 60 bits. */
  readonly price: Sf;
  /** As the oracle tells it. */
  readonly exactPrice: Ratio;
};

/**
 * The oracle's price of a reserve. The one that the reserve stores stands in where the feed is not known or names
 * no price, and where it is the newer one: of several oracles the program takes the newest.
 */
export function reservePrice(
  { config, liquidity }: Pick<ReserveView, 'config' | 'liquidity'>,
  feeds: PriceFeeds,
): ReservePrice {
  const { priceFeed, priceChain } = config.tokenInfo.scopeConfiguration;
  const prices = feeds(priceFeed);
  const told = prices === undefined ? undefined : chainPrice(prices, priceChain);
  const exactPrice = prices === undefined ? undefined : chainRatio(prices, priceChain);
  if (told !== undefined && exactPrice !== undefined) {
    if (told.unix >= liquidity.marketPriceLastUpdatedTs) return { price: told.price, exactPrice };
  }
  const price = liquidity.marketPriceSf;
  return { price, exactPrice: ratioOfSf(price) };
}
