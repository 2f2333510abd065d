import type { Address } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import {
  divRatioOrZero,
  mulRatio,
  ratioOfSf,
  sumRatios,
  ZERO_RATIO,
} from '../../base/numbers/ratio.ts';
import { divSf, ZERO_SF } from '../../base/numbers/scaled-fraction.ts';
import type { ChainTime } from '../../base/time.ts';
import type { ObligationView } from '../../protocol/klend/layout/obligation.ts';
import {
  type ElevationGroup,
  findElevationGroup,
  type LtvLimits,
  ltvLimits,
} from '../../protocol/klend/math/health.ts';
import {
  closeFactorPct,
  isLiquidatedInFull,
} from '../../protocol/klend/math/liquidation/liquidation.ts';
import type { ObligationStats } from '../../protocol/klend/math/obligation-stats.ts';
import type { AddressedAccount, MarketSnapshot } from './market-snapshot.ts';
import { borrowPositions, depositPositions, type LoanPosition } from './obligation-positions.ts';
import { refreshObligationStats } from './obligation-report.ts';
import { toWholeTokens } from './reserve-snapshot.ts';
import { computeFigure } from './unavailable-figures.ts';

/** Amounts are whole tokens, values USD. */
export type LoanDeposit = LoanPosition & {
  readonly tokens: Ratio;
  readonly maxLtv: Ratio;
  readonly liquidationLtv: Ratio;
};

export type LoanBorrow = LoanPosition & {
  readonly tokens: Ratio;
  readonly borrowFactor: Ratio;
};

/** One obligation. Ratios with a zero denominator are zero. */
export type Loan = {
  readonly address: Address;
  readonly market: Address;
  readonly owner: Address;
  readonly at: ChainTime;
  readonly elevationGroup: number;
  readonly stats: ObligationStats;
  readonly deposits: readonly LoanDeposit[];
  readonly borrows: readonly LoanBorrow[];
  readonly leverage: Ratio;
  /** Debts times their borrow factors over all deposits. */
  readonly currentLtv: Ratio;
  /** Means over the deposits, weighted by value. */
  readonly maxLtv: Ratio;
  readonly liquidationLtv: Ratio;
  /** The part of the debt that one liquidation may repay at the present LTV and size of the debts. */
  readonly closeFactor: Ratio;
};

/** Throws the reason if the loan, or a reserve that it uses, cannot be evaluated. */
export const viewLoan = (
  obligation: AddressedAccount<ObligationView>,
  market: MarketSnapshot,
): Loan => computeFigure(obligation.address, () => computeLoan(obligation, market));

function computeLoan(
  { address, fields }: AddressedAccount<ObligationView>,
  market: MarketSnapshot,
): Loan {
  const { elevationGroup } = fields;
  const stats = refreshObligationStats(fields, market);
  const group = findElevationGroup(market.fields, elevationGroup);
  const debts = borrowPositions(fields, market);
  const deposits = depositPositions(fields, market).map((position) => {
    return loanDeposit(position, ltvLimits(position.reserve.config, group));
  });
  return {
    address,
    market: market.address,
    owner: fields.owner,
    at: market.at,
    elevationGroup,
    stats,
    deposits,
    borrows: debts.map((position) => loanBorrow(position, group)),
    leverage: stats.leverage ?? ZERO_RATIO,
    currentLtv: divRatioOrZero(
      ratioOfSf(stats.userTotalBorrowBorrowFactorAdjusted),
      ratioOfSf(stats.userTotalDeposit),
    ),
    maxLtv: weightedMean(deposits, ({ maxLtv }) => maxLtv),
    liquidationLtv: weightedMean(deposits, ({ liquidationLtv }) => liquidationLtv),
    closeFactor: closeFactor(market.fields, debts, stats),
  };
}

/**
 * The program's factor for a liquidation now: 1 close to insolvency, and where every debt is so small that it must be
 * repaid in full.
 */
function closeFactor(
  market: MarketSnapshot['fields'],
  debts: readonly LoanPosition[],
  stats: ObligationStats,
): Ratio {
  const { userTotalDeposit: deposited, userTotalBorrowBorrowFactorAdjusted: adjusted } = stats;
  const areSmall =
    debts.length > 0 && debts.every(({ value }) => isLiquidatedInFull(market, value));
  if (areSmall || (deposited === 0n && adjusted > 0n)) return percent(100n);
  const ltv = deposited === 0n ? ZERO_SF : divSf(adjusted, deposited);
  return percent(closeFactorPct(market, ltv));
}

function loanDeposit(position: LoanPosition, limits: LtvLimits): LoanDeposit {
  return {
    ...position,
    tokens: toWholeTokens(position.reserve, position.amount),
    maxLtv: percent(BigInt(limits.maxLtvPct)),
    liquidationLtv: percent(BigInt(limits.liquidationThresholdPct)),
  };
}

function loanBorrow(position: LoanPosition, group: ElevationGroup | undefined): LoanBorrow {
  const { reserve, amount } = position;
  const { borrowFactorPct } = reserve.config;
  const hasNoFactor = group !== undefined || borrowFactorPct < 100n;
  return {
    ...position,
    tokens: toWholeTokens(reserve, amount),
    borrowFactor: percent(hasNoFactor ? 100n : borrowFactorPct),
  };
}

function weightedMean(
  deposits: readonly LoanDeposit[],
  pick: (deposit: LoanDeposit) => Ratio,
): Ratio {
  const parts = deposits.map((deposit) => mulRatio(ratioOfSf(deposit.value), pick(deposit)));
  const total = deposits.map(({ value }) => ratioOfSf(value));
  return divRatioOrZero(sumRatios(parts), sumRatios(total));
}

const percent = (numerator: bigint): Ratio => ({ numerator, denominator: 100n });
