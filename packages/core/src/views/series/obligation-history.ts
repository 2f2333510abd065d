import type { Address } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { addRatio, divRatioOrZero, mulRatio, sumRatios } from '../../base/numbers/ratio.ts';
import { ONE_SF, type Sf } from '../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../base/time.ts';
import type { ObligationView } from '../../protocol/klend/layout/obligation.ts';
import type { ObligationStats } from '../../protocol/klend/math/obligation-stats.ts';
import type { MarketSnapshot } from '../lending/market-snapshot.ts';
import {
  borrowPositions,
  depositPositions,
  type LoanPosition,
} from '../lending/obligation-positions.ts';
import { refreshObligationStats } from '../lending/obligation-report.ts';
import { type ReserveSnapshot, toWholeTokens } from '../lending/reserve-snapshot.ts';
import { hasPositions } from './market-history.ts';

/** The value of an obligation at a time. */
export type ObligationPoint = {
  readonly at: UnixSeconds;
  /** 0 to 3; fixed-rate kinds are mapped to their base kind. */
  readonly tag: number;
  readonly refreshedStats: ObligationStats;
  readonly deposits: readonly HistoricalPosition[];
  readonly borrows: readonly HistoricalPosition[];
  readonly solValues: SolValues;
};

/** The amount is in lamports with interest; the value is in USD, without borrow factor. */
type HistoricalPosition = { readonly mint: Address; readonly amount: Sf; readonly value: Sf };

type SolValues = {
  readonly collateral: Ratio;
  readonly debt: Ratio;
  readonly net: Ratio;
  readonly solPrice: Ratio;
  readonly solPriceAt: UnixSeconds;
};

/** How USD values are converted to SOL. */
export type SolPricing = {
  /** USD; SOL values are zero without a price. */
  readonly solPrice: Ratio;
  readonly solPriceAt: UnixSeconds;
  /** SOL per whole token of a stake pool. Overrides the market price of its mint. */
  readonly stakeRates?: ReadonlyMap<Address, Ratio>;
};

/**
 * The value of an obligation state, refreshed as the program would do in a market at any later
 * time. Undefined without positions.
 */
export function viewObligationPoint(
  obligation: ObligationView,
  market: MarketSnapshot,
  pricing: SolPricing,
): ObligationPoint | undefined {
  if (!hasPositions(obligation)) return undefined;
  const current = withNewerRates(market, obligation);
  const refreshedStats = refreshObligationStats(obligation, current);
  const deposits = depositPositions(obligation, current);
  const borrows = borrowPositions(obligation, current);
  const collateral = solValue(deposits, pricing);
  const debt = solValue(borrows, pricing);
  return {
    at: market.at.unix,
    tag: contractTag(obligation.tag),
    refreshedStats,
    deposits: deposits.map(toHistoricalPosition),
    borrows: borrows.map(toHistoricalPosition),
    solValues: {
      collateral,
      debt,
      net: addRatio(collateral, { ...debt, numerator: -debt.numerator }),
      solPrice: pricing.solPrice,
      solPriceAt: pricing.solPriceAt,
    },
  };
}

/**
 * If the loan was refreshed after the reserve was sampled, its cumulative rate is newer: the debt
 * has no interest yet.
 */
function withNewerRates(market: MarketSnapshot, { borrows }: ObligationView): MarketSnapshot {
  const reserves = new Map<Address, ReserveSnapshot>(market.reserves);
  for (const { borrowReserve, cumulativeBorrowRateBsf } of borrows) {
    const reserve = reserves.get(borrowReserve);
    const cumulativeBorrowRate = cumulativeBorrowRateBsf.value;
    if (reserve !== undefined && reserve.cumulativeBorrowRate < cumulativeBorrowRate) {
      reserves.set(borrowReserve, { ...reserve, cumulativeBorrowRate });
    }
  }
  return { ...market, reserves };
}

/** Sums USD values before converting them to SOL. */
function solValue(positions: readonly LoanPosition[], { solPrice, stakeRates }: SolPricing): Ratio {
  const staked: Ratio[] = [];
  let usd = 0n;
  for (const { reserve, amount, value } of positions) {
    const rate = stakeRates?.get(reserve.mint);
    if (rate === undefined) usd += value;
    else staked.push(mulRatio(toWholeTokens(reserve, amount), rate));
  }
  const converted = divRatioOrZero({ numerator: usd, denominator: ONE_SF }, solPrice);
  return addRatio(converted, sumRatios(staked));
}

const toHistoricalPosition = ({ reserve, amount, value }: LoanPosition): HistoricalPosition => ({
  mint: reserve.mint,
  amount,
  value,
});

const FIXED_RATE_TAGS = 3;
const LAST_TAG = 6;

function contractTag(tag: bigint): number {
  const number = Number(tag);
  if (number > LAST_TAG) return 0;
  return number > FIXED_RATE_TAGS ? number - FIXED_RATE_TAGS : number;
}
