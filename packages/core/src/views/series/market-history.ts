import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { mulRatio, ratioOfSf, sumRatios } from '../../base/numbers/ratio.ts';
import type { ChainTime } from '../../base/time.ts';
import type { MarketSnapshot } from '../lending/market-snapshot.ts';
import type { LoanPositionFields } from '../lending/obligation-positions.ts';
import { type ReserveSnapshot, toWholeTokens } from '../lending/reserve-snapshot.ts';

/** The total value of a market at a time, in USD. */
export type MarketPoint = {
  readonly market: Address;
  readonly at: ChainTime;
  readonly depositTvl: Ratio;
  readonly borrowTvl: Ratio;
  /** Obligations with a deposit or a debt. */
  readonly obligations: number;
};

export function viewMarketPoint(
  market: Pick<MarketSnapshot, 'address' | 'reserves' | 'at'>,
  obligations: number,
): MarketPoint {
  const reserves = [...market.reserves.values()];
  return {
    market: market.address,
    at: market.at,
    depositTvl: totalUsd(reserves, ({ totalSupply }) => totalSupply),
    borrowTvl: totalUsd(reserves, ({ liquidity }) => liquidity.borrowedAmountSf),
    obligations,
  };
}

/** Whether an obligation has a deposit or a debt. */
export function hasPositions({ deposits, borrows }: LoanPositionFields): boolean {
  for (const { depositReserve } of deposits) if (depositReserve !== ZERO_ADDRESS) return true;
  for (const { borrowReserve } of borrows) if (borrowReserve !== ZERO_ADDRESS) return true;
  return false;
}

/** Adds tokens with equal decimals first, because their fractions have the same denominator. */
function totalUsd(
  reserves: readonly ReserveSnapshot[],
  amountOf: (reserve: ReserveSnapshot) => ReserveSnapshot['totalSupply'],
): Ratio {
  const sums = new Map<bigint, bigint>();
  for (const reserve of reserves) {
    const tokens = toWholeTokens(reserve, amountOf(reserve));
    const { numerator, denominator } = mulRatio(tokens, ratioOfSf(reserve.price));
    sums.set(denominator, (sums.get(denominator) ?? 0n) + numerator);
  }
  return sumRatios([...sums].map(([denominator, numerator]) => ({ numerator, denominator })));
}
