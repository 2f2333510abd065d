import type { Address } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import {
  divRatioOrZero,
  mulRatio,
  ratioOfSf,
  sumRatios,
  ZERO_RATIO,
} from '../../base/numbers/ratio.ts';
import { type Sf, subSfToZero } from '../../base/numbers/scaled-fraction.ts';
import type { ChainTime } from '../../base/time.ts';
import type { ObligationView } from '../../protocol/klend/layout/obligation.ts';
import {
  type ElevationGroup,
  findElevationGroup,
  type LtvLimits,
  ltvLimits,
} from '../../protocol/klend/math/elevation-group.ts';
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
  /** The amount that can be withdrawn within the borrow limit; at most the deposit. */
  readonly maxWithdrawableTokens: Ratio;
  readonly maxWithdrawableValue: Ratio;
};

export type LoanBorrow = LoanPosition & {
  readonly tokens: Ratio;
  readonly maxBorrowableTokens: Ratio;
  readonly maxBorrowableValue: Ratio;
  readonly borrowFactor: Ratio;
};

/** A report of one obligation. Ratios with a zero denominator are zero. */
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
  /** The part of the debt that one liquidation may repay. */
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
  const borrowable = subSfToZero(stats.borrowLimit, stats.userTotalBorrowBorrowFactorAdjusted);
  const debts = borrowPositions(fields, market);
  const withdrawable = debts.length === 0 ? undefined : borrowable;
  const deposits = depositPositions(fields, market).map((position) => {
    return loanDeposit(position, ltvLimits(position.reserve.config, group), withdrawable);
  });
  return {
    address,
    market: market.address,
    owner: fields.owner,
    at: market.at,
    elevationGroup,
    stats,
    deposits,
    borrows: debts.map((position) => loanBorrow(position, group, borrowable)),
    leverage: stats.leverage ?? ZERO_RATIO,
    currentLtv: divRatioOrZero(
      ratioOfSf(stats.userTotalBorrowBorrowFactorAdjusted),
      ratioOfSf(stats.userTotalDeposit),
    ),
    maxLtv: weightedMean(deposits, ({ maxLtv }) => maxLtv),
    liquidationLtv: weightedMean(deposits, ({ liquidationLtv }) => liquidationLtv),
    closeFactor: percent(BigInt(market.fields.liquidationMaxDebtCloseFactorPct)),
  };
}

/** `borrowable` is undefined without debt: then everything can be withdrawn. */
function loanDeposit(
  position: LoanPosition,
  limits: LtvLimits,
  borrowable: Sf | undefined,
): LoanDeposit {
  const { reserve, amount, value } = position;
  const maxLtvPct = BigInt(limits.maxLtvPct);
  const all = ratioOfSf(value);
  // Also true for a deposit with zero loan-to-value.
  const isFree = borrowable === undefined || borrowable * 100n >= value * maxLtvPct;
  const part = isFree ? all : divRatioOrZero(ratioOfSf(borrowable), percent(maxLtvPct));
  const tokens = toWholeTokens(reserve, amount);
  return {
    ...position,
    tokens,
    maxLtv: percent(maxLtvPct),
    liquidationLtv: percent(BigInt(limits.liquidationThresholdPct)),
    maxWithdrawableValue: part,
    maxWithdrawableTokens: isFree ? tokens : mulRatio(tokens, divRatioOrZero(part, all)),
  };
}

function loanBorrow(
  position: LoanPosition,
  group: ElevationGroup | undefined,
  borrowable: Sf,
): LoanBorrow {
  const { reserve, amount } = position;
  const { borrowFactorPct } = reserve.config;
  const hasNoFactor = group !== undefined || borrowFactorPct < 100n;
  const borrowFactor = percent(hasNoFactor ? 100n : borrowFactorPct);
  const maxBorrowableValue = divRatioOrZero(ratioOfSf(borrowable), borrowFactor);
  return {
    ...position,
    tokens: toWholeTokens(reserve, amount),
    borrowFactor,
    maxBorrowableValue,
    maxBorrowableTokens: divRatioOrZero(maxBorrowableValue, ratioOfSf(reserve.price)),
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
