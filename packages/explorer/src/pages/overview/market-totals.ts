import type { ListedMarket, ListedReserve } from '../../api/directory.ts';
import { sum } from '../../format/decimal.ts';

/** In USD. */
export type MarketTotals = {
  readonly supplied: string;
  readonly borrowed: string;
  /** The reserve with the highest rate for depositors; undefined if nothing is supplied. */
  readonly bestSupply: ListedReserve | undefined;
  /** The reserve with debt that has the lowest rate for borrowers; undefined if nothing is borrowed. */
  readonly cheapestBorrow: ListedReserve | undefined;
};

export function marketTotals(reserves: readonly ListedReserve[]): MarketTotals {
  const byRate = (rate: 'supplyApy' | 'borrowApy') => (a: ListedReserve, b: ListedReserve) =>
    Number(a[rate]) - Number(b[rate]);
  return {
    supplied: sum(reserves.map(({ totalSupplyUsd }) => totalSupplyUsd)),
    borrowed: sum(reserves.map(({ totalBorrowUsd }) => totalBorrowUsd)),
    bestSupply: reserves
      .filter(({ totalSupply }) => Number(totalSupply) > 0)
      .sort(byRate('supplyApy'))
      .at(-1),
    cheapestBorrow: reserves
      .filter(({ totalBorrow }) => Number(totalBorrow) > 0)
      .sort(byRate('borrowApy'))[0],
  };
}

/** Totals over all markets that can be read. */
export function allTotals(
  markets: readonly ListedMarket[],
): Pick<MarketTotals, 'supplied' | 'borrowed'> {
  return marketTotals(markets.flatMap(({ reserves = [] }) => reserves));
}
