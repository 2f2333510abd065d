import type { MarketOraclePrices, OraclePrice } from '@tidegate/client';

type MarketPrices = Pick<MarketOraclePrices, 'isPrimary'> & {
  readonly prices: readonly Pick<OraclePrice, 'mint' | 'price' | 'timestamp'>[];
};

/** USD per token by mint: of the primary markets, or of any other that has the token; the newest one of several. */
export function rewardPrices(markets: readonly MarketPrices[]): ReadonlyMap<string, string> {
  const ordered = markets
    .flatMap(({ isPrimary, prices }) => prices.map((each) => ({ ...each, isPrimary })))
    .sort(
      (a, b) =>
        Number(a.isPrimary) - Number(b.isPrimary) || Number(a.timestamp) - Number(b.timestamp),
    );
  return new Map(ordered.map(({ mint, price }) => [mint, price]));
}
