import type { Address } from '../base/address.ts';
import { reservePoint, type TakenAt } from '../history/reserve-points.ts';
import type { Point } from '../history/series-tables.ts';
import type { LendingMarketView } from '../protocol/klend/layout/lending-market.ts';
import type { ClusterReader, HeldBytes } from '../state/reader.ts';
import { marketNow } from '../views/market.ts';
import { hasPositions, viewMarketPoint } from '../views/market-history.ts';

/** What the series of reserves, markets and prices say of a cluster as it is. */
export function samplePoints(state: ClusterReader, terms: TakenAt): Point[] {
  const prices = new Map<Address, Point>();
  const points = state
    .markets()
    .flatMap((market) => marketPoints(state, market, { terms, prices }));
  return [...points, ...prices.values()];
}

type Sampling = {
  readonly terms: TakenAt;
  /** By mint; of several reserves of a token the first one tells its price. */
  readonly prices: Map<Address, Point>;
};

function marketPoints(
  state: ClusterReader,
  market: HeldBytes<LendingMarketView>,
  { terms, prices }: Sampling,
): Point[] {
  const { at, resolution } = terms;
  const taken = { resolution, at: at.unix, slot: at.slot };
  const held = state.reservesOf(market.address);
  const feeds = (feed: Address) => state.prices(feed);
  const now = marketNow({ market, reserves: held, prices: feeds, at, slotMs: state.slotMs() });
  const reserves = held.flatMap(({ address, data, fields }) => {
    const reserve = now.reserves.get(address);
    if (reserve === undefined) return [];
    const { mint, price: oraclePrice, liquidity, cumulativeBorrowRate } = reserve;
    if (!prices.has(mint)) {
      prices.set(mint, { kind: 'price', ...taken, subject: mint, priceSf: oraclePrice });
    }
    const accrued = { ...liquidity, cumulativeBorrowRate };
    return [reservePoint({ address, data, fields, accrued, oraclePrice }, terms)];
  });
  const { depositTvl, borrowTvl, obligations } = viewMarketPoint(now, countLoans(state, market));
  return [
    ...reserves,
    {
      ...{ kind: 'market', ...taken, subject: market.address, obligations },
      depositTvl,
      borrowTvl,
    },
  ];
}

function countLoans(state: ClusterReader, { address }: HeldBytes<LendingMarketView>): number {
  let count = 0;
  for (const { fields } of state.obligationsIn(address)) if (hasPositions(fields)) count += 1;
  return count;
}
