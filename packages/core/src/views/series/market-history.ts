import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { mulRatio, ratioOfSf, sumRatios } from '../../base/numbers/ratio.ts';
import type { ChainTime } from '../../base/time.ts';
import type { MarketNow } from '../lending/market-snapshot.ts';
import type { LoanPositions } from '../lending/obligation-positions.ts';
import { type ReserveNow, tokensOf } from '../lending/reserve-snapshot.ts';

/** What a market held at a time, in USD over all its reserves. */
export type MarketPoint = {
  readonly market: Address;
  readonly at: ChainTime;
  readonly depositTvl: Ratio;
  readonly borrowTvl: Ratio;
  /** With a deposit or a debt. */
  readonly obligations: number;
};

export function viewMarketPoint(market: MarketNow, obligations: number): MarketPoint {
  const reserves = [...market.reserves.values()];
  return {
    market: market.address,
    at: market.at,
    depositTvl: total(reserves, ({ totalSupply }) => totalSupply),
    borrowTvl: total(reserves, ({ liquidity }) => liquidity.borrowedAmountSf),
    obligations,
  };
}

/** Whether an obligation has a deposit or a debt; one without is only a place for a loan. */
export function hasPositions({ deposits, borrows }: LoanPositions): boolean {
  for (const { depositReserve } of deposits) if (depositReserve !== ZERO_ADDRESS) return true;
  for (const { borrowReserve } of borrows) if (borrowReserve !== ZERO_ADDRESS) return true;
  return false;
}

/** Tokens of equal decimals are added before others are: their fractions have one denominator. */
function total(
  reserves: readonly ReserveNow[],
  amountOf: (reserve: ReserveNow) => ReserveNow['totalSupply'],
): Ratio {
  const sums = new Map<bigint, bigint>();
  for (const reserve of reserves) {
    const tokens = tokensOf(reserve, amountOf(reserve));
    const { numerator, denominator } = mulRatio(tokens, ratioOfSf(reserve.price));
    sums.set(denominator, (sums.get(denominator) ?? 0n) + numerator);
  }
  return sumRatios([...sums].map(([denominator, numerator]) => ({ numerator, denominator })));
}
