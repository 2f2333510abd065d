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

/** What an obligation was worth at a time. */
export type ObligationPoint = {
  readonly at: UnixSeconds;
  /** 0 to 3; the kinds of a fixed rate count as the kinds that they are of. */
  readonly tag: number;
  readonly refreshedStats: ObligationStats;
  readonly deposits: readonly PastPosition[];
  readonly borrows: readonly PastPosition[];
  readonly solValues: SolValues;
};

/** The amount is in lamports, with its interest; the value is USD without a borrow factor. */
type PastPosition = { readonly mint: Address; readonly amount: Sf; readonly value: Sf };

type SolValues = {
  readonly collateral: Ratio;
  readonly debt: Ratio;
  readonly net: Ratio;
  readonly solPrice: Ratio;
  readonly solPriceAt: UnixSeconds;
};

/** How values become SOL. */
export type SolPricing = {
  /** USD; values are zero where there is none. */
  readonly solPrice: Ratio;
  readonly solPriceAt: UnixSeconds;
  /** SOL for a whole token of a stake pool. Mints that are in it are valued by it, whatever they are traded for. */
  readonly stakeRates?: ReadonlyMap<Address, Ratio>;
};

/**
 * The state after an obligation's last event, refreshed in a market of any later time as the program would
 * refresh it. Undefined for one without positions.
 */
export function viewObligationPoint(
  obligation: ObligationView,
  market: MarketSnapshot,
  terms: SolPricing,
): ObligationPoint | undefined {
  if (!hasPositions(obligation)) return undefined;
  const known = withNewerRates(market, obligation);
  const refreshedStats = refreshObligationStats(obligation, known);
  const deposits = depositPositions(obligation, known);
  const borrows = borrowPositions(obligation, known);
  const collateral = solValue(deposits, terms);
  const debt = solValue(borrows, terms);
  return {
    at: market.at.unix,
    tag: contractTag(obligation.tag),
    refreshedStats,
    deposits: deposits.map(pastPosition),
    borrows: borrows.map(pastPosition),
    solValues: {
      collateral,
      debt,
      net: addRatio(collateral, { ...debt, numerator: -debt.numerator }),
      solPrice: terms.solPrice,
      solPriceAt: terms.solPriceAt,
    },
  };
}

/**
 * A debt of after the moment that its reserve was kept knows more of the reserve's cumulative rate than that: there
 * is no interest on it yet.
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

/** USD are added before they become SOL. */
function solValue(positions: readonly LoanPosition[], { solPrice, stakeRates }: SolPricing): Ratio {
  const staked: Ratio[] = [];
  let usd = 0n;
  for (const { reserve, amount, value } of positions) {
    const rate = stakeRates?.get(reserve.mint);
    if (rate === undefined) usd += value;
    else staked.push(mulRatio(toWholeTokens(reserve, amount), rate));
  }
  const traded = divRatioOrZero({ numerator: usd, denominator: ONE_SF }, solPrice);
  return addRatio(traded, sumRatios(staked));
}

const pastPosition = ({ reserve, amount, value }: LoanPosition): PastPosition => ({
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
