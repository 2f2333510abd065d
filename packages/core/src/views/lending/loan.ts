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
import type { MarketSnapshot, Placed } from './market-snapshot.ts';
import { borrowPositions, depositPositions, type LoanPosition } from './obligation-positions.ts';
import { refreshObligationStats } from './obligation-report.ts';
import { toWholeTokens } from './reserve-snapshot.ts';

/** Amounts are whole tokens, values USD. */
export type LoanDeposit = LoanPosition & {
  readonly tokens: Ratio;
  readonly maxLtv: Ratio;
  readonly liquidationLtv: Ratio;
  /** What can leave while the debt stays within its limit; never more than there is. */
  readonly maxWithdrawableTokens: Ratio;
  readonly maxWithdrawableValue: Ratio;
};

export type LoanBorrow = LoanPosition & {
  readonly tokens: Ratio;
  readonly maxBorrowableTokens: Ratio;
  readonly maxBorrowableValue: Ratio;
  readonly borrowFactor: Ratio;
};

/** One obligation as a report of a loan. Ratios that divide by zero are zero. */
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
  /** Debts with their borrow factors over all deposits. */
  readonly currentLtv: Ratio;
  /** Means over the deposits, weighted by value. */
  readonly maxLtv: Ratio;
  readonly liquidationLtv: Ratio;
  /** How much of the debt one liquidation may repay. */
  readonly closeFactor: Ratio;
};

export function viewLoan(
  { address, fields }: Placed<ObligationView>,
  market: MarketSnapshot,
): Loan {
  const { elevationGroup } = fields;
  const stats = refreshObligationStats(fields, market);
  const group = findElevationGroup(market.fields, elevationGroup);
  const room = subSfToZero(stats.borrowLimit, stats.userTotalBorrowBorrowFactorAdjusted);
  const debts = borrowPositions(fields, market);
  const withdrawable = debts.length === 0 ? undefined : room;
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
    borrows: debts.map((position) => loanBorrow(position, group, room)),
    leverage: stats.leverage ?? ZERO_RATIO,
    currentLtv: divRatioOrZero(
      ratioOfSf(stats.userTotalBorrowBorrowFactorAdjusted),
      ratioOfSf(stats.userTotalDeposit),
    ),
    maxLtv: weighted(deposits, ({ maxLtv }) => maxLtv),
    liquidationLtv: weighted(deposits, ({ liquidationLtv }) => liquidationLtv),
    closeFactor: percent(BigInt(market.fields.liquidationMaxDebtCloseFactorPct)),
  };
}

/** `room` is what may still be borrowed; undefined without debt, when everything can leave. */
function loanDeposit(position: LoanPosition, terms: LtvLimits, room: Sf | undefined): LoanDeposit {
  const { reserve, amount, value } = position;
  const maxLtvPct = BigInt(terms.maxLtvPct);
  const all = ratioOfSf(value);
  // true of a deposit that backs nothing, too
  const isFree = room === undefined || room * 100n >= value * maxLtvPct;
  const part = isFree ? all : divRatioOrZero(ratioOfSf(room), percent(maxLtvPct));
  const tokens = toWholeTokens(reserve, amount);
  return {
    ...position,
    tokens,
    maxLtv: percent(maxLtvPct),
    liquidationLtv: percent(BigInt(terms.liquidationThresholdPct)),
    maxWithdrawableValue: part,
    maxWithdrawableTokens: isFree ? tokens : mulRatio(tokens, divRatioOrZero(part, all)),
  };
}

function loanBorrow(
  position: LoanPosition,
  group: ElevationGroup | undefined,
  room: Sf,
): LoanBorrow {
  const { reserve, amount } = position;
  const { borrowFactorPct } = reserve.config;
  const isPlain = group !== undefined || borrowFactorPct < 100n;
  const borrowFactor = percent(isPlain ? 100n : borrowFactorPct);
  const maxBorrowableValue = divRatioOrZero(ratioOfSf(room), borrowFactor);
  return {
    ...position,
    tokens: toWholeTokens(reserve, amount),
    borrowFactor,
    maxBorrowableValue,
    maxBorrowableTokens: divRatioOrZero(maxBorrowableValue, ratioOfSf(reserve.price)),
  };
}

function weighted(deposits: readonly LoanDeposit[], of: (deposit: LoanDeposit) => Ratio): Ratio {
  const parts = deposits.map((deposit) => mulRatio(ratioOfSf(deposit.value), of(deposit)));
  const total = deposits.map(({ value }) => ratioOfSf(value));
  return divRatioOrZero(sumRatios(parts), sumRatios(total));
}

const percent = (numerator: bigint): Ratio => ({ numerator, denominator: 100n });
