import { formatUnits } from '../../base/numbers/decimal.ts';
import {
  ceilSf,
  floorSf,
  type Sf,
  sfFromInt,
  ZERO_SF,
} from '../../base/numbers/scaled-fraction.ts';
import { accrualTerms } from '../../protocol/klend/math/accrual/accrual.ts';
import { latestTime } from '../../protocol/klend/math/accrual/accrual-duration.ts';
import { earlyRepayPenalty } from '../../protocol/klend/math/accrual/early-repay-penalty.ts';
import { liquidityToCollateralCeil } from '../../protocol/klend/math/exact-ratio.ts';
import { redeemedLiquidity } from '../../protocol/klend/math/exchange-rate.ts';
import { debtAt } from '../../protocol/klend/math/liquidity.ts';
import { type ReserveAtSlot, reserveAtSlot } from '../../protocol/klend/math/reserve-at-slot.ts';
import type { BuildContext } from '../build.ts';
import type { TokenMove } from '../build-summary.ts';
import { laterTime } from '../later-time.ts';
import type { LendingActionContext } from './lending-action-context.ts';
import type { LendingPosition } from './lending-position.ts';

/** Longer than a blockhash is valid: a transaction lands within it or never. */
export const MAX_LANDING_SLOTS = 300n;

/** Wrapped in addition to the current debt, as the official client does. */
const SPARE_LAMPORTS = 1_000_000n;

/** The reserve of the operation at the newest known slot, or some slots later. */
function reserveAtLatestSlot(
  { reserve, market }: LendingActionContext,
  { state }: BuildContext,
  laterSlots = 0n,
): ReserveAtSlot {
  const now = latestTime(state.at(), [reserve.fields.lastUpdate]);
  const time = laterTime(now, laterSlots, state);
  const rules = state.rulesAt(time.slot).lending;
  return reserveAtSlot(reserve.fields, { time, rules, ...accrualTerms(market.fields) });
}

/**
 * The wallet's debt in the reserve's token with accrued interest; zero without a debt. If the loan
 * is newer than the indexed reserve, its own amount is used.
 */
export function currentDebt(position: LendingPosition, context: BuildContext, laterSlots = 0n): Sf {
  const { loan, reserve } = position;
  const borrows = [...(loan?.fields.borrows ?? [])];
  const debt = borrows.find(({ borrowReserve }) => borrowReserve === reserve.address);
  if (debt === undefined) return ZERO_SF;
  const { cumulativeBorrowRate } = reserveAtLatestSlot(position, context, laterSlots);
  const isAhead = debt.cumulativeBorrowRateBsf.value > cumulativeBorrowRate;
  return isAhead ? debt.borrowedAmountSf : debtAt(debt, cumulativeBorrowRate);
}

/** Enough SOL to repay a debt that grows until the transaction lands. */
export function lamportsToWrapForDebt(position: LendingPosition, context: BuildContext): bigint {
  const withSpare = floorSf(currentDebt(position, context)) + SPARE_LAMPORTS;
  const atLanding = ceilSf(currentDebt(position, context, MAX_LANDING_SLOTS));
  return withSpare > atLanding ? withSpare : atLanding;
}

/** What repaying an amount of the debt costs on top if the term of the debt has not ended. Falls with time. */
export function repayPenalty(
  position: LendingPosition,
  context: BuildContext,
  amount: bigint,
): bigint {
  const { loan, reserve } = position;
  const borrows = [...(loan?.fields.borrows ?? [])];
  const debt = borrows.find(({ borrowReserve }) => borrowReserve === reserve.address);
  if (debt === undefined) return 0n;
  const owed = currentDebt(position, context, MAX_LANDING_SLOTS);
  const repayment = {
    amount: amount > ceilSf(owed) ? owed : sfFromInt(amount),
    now: context.state.at().unix,
    rules: context.state.rulesAt(context.state.at().slot).lending,
  };
  const accrued = reserveAtLatestSlot(position, context);
  return earlyRepayPenalty({ ...accrued, config: reserve.fields.config }, debt, repayment);
}

/** The loan's cTokens of the reserve. */
export function depositedCollateral({ loan, reserve }: LendingPosition): bigint {
  const deposits = [...(loan?.fields.deposits ?? [])];
  const deposit = deposits.find(({ depositReserve }) => depositReserve === reserve.address);
  return deposit?.depositedAmount ?? 0n;
}

/** The tokens that all deposited cTokens redeem for. */
export const redeemableDeposit = (position: LendingPosition, context: BuildContext): bigint =>
  redeemedLiquidity(reserveAtLatestSlot(position, context).rate, depositedCollateral(position));

/** The cTokens for an amount of tokens, rounded up; at most the total supply. */
export function collateralForLiquidity(
  target: LendingActionContext,
  context: BuildContext,
  amount: bigint,
): bigint {
  const { rate, totalSupply } = reserveAtLatestSlot(target, context);
  const supply = ceilSf(totalSupply);
  return liquidityToCollateralCeil(rate, supply > 0n && amount > supply ? supply : amount);
}

export const formatReserveTokens = (
  { decimals, symbol }: LendingActionContext,
  amount: bigint,
): string => `${formatUnits(amount, decimals)} ${symbol}`;

export const createTokenMove = (
  { token: { mint }, decimals }: LendingActionContext,
  amount: bigint,
  certainty: TokenMove['certainty'],
): TokenMove => ({ mint, decimals, amount, certainty });
