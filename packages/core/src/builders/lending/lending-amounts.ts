import { formatUnits } from '../../base/numbers/decimal.ts';
import { ceilSf, floorSf, type Sf, ZERO_SF } from '../../base/numbers/scaled-fraction.ts';
import { toSlot } from '../../base/time.ts';
import { liquidityToCollateralCeil } from '../../protocol/klend/math/ctoken-exchange.ts';
import { debtAt } from '../../protocol/klend/math/debt.ts';
import { redeemedLiquidity } from '../../protocol/klend/math/exchange-rate.ts';
import { type ReserveAtSlot, reserveAtSlot } from '../../protocol/klend/math/reserve-at-slot.ts';
import type { BuildContext } from '../build.ts';
import type { TokenMove } from '../plan.ts';
import type { LendingActionContext } from './lending-action-context.ts';
import type { LendingPosition } from './lending-position.ts';

/** Longer than a blockhash is good for: within that the transaction lands or never does. */
export const MAX_LANDING_SLOTS = 300n;

/** Wrapped beyond the debt of now, as the official client does. */
const SPARE_LAMPORTS = 1_000_000n;

/** The reserve that is acted on at the newest slot that is known, or some slots later. */
function actedReserve(
  { reserve, market }: LendingActionContext,
  { state }: BuildContext,
  laterSlots = 0n,
): ReserveAtSlot {
  const now = state.at().slot;
  const updated = reserve.fields.lastUpdate.slot;
  const slot = toSlot((updated > now ? updated : now) + laterSlots);
  return reserveAtSlot(reserve.fields, { slot, referralFeeBps: market.fields.referralFeeBps });
}

/**
 * What the wallet owes of the token, with the interest that is known of; zero without a debt. A loan that is ahead of
 * what is known of the reserve is taken as it is.
 */
export function currentDebt(position: LendingPosition, scene: BuildContext, laterSlots = 0n): Sf {
  const { loan, reserve } = position;
  const borrows = [...(loan?.fields.borrows ?? [])];
  const debt = borrows.find(({ borrowReserve }) => borrowReserve === reserve.address);
  if (debt === undefined) return ZERO_SF;
  const { cumulativeBorrowRate } = actedReserve(position, scene, laterSlots);
  const isAhead = debt.cumulativeBorrowRateBsf.value > cumulativeBorrowRate;
  return isAhead ? debt.borrowedAmountSf : debtAt(debt, cumulativeBorrowRate);
}

/** Enough SOL to settle a debt that grows until the transaction lands. */
export function lamportsToWrapForDebt(position: LendingPosition, scene: BuildContext): bigint {
  const usual = floorSf(currentDebt(position, scene)) + SPARE_LAMPORTS;
  const atLanding = ceilSf(currentDebt(position, scene, MAX_LANDING_SLOTS));
  return usual > atLanding ? usual : atLanding;
}

/** cTokens that the loan has of the reserve. */
export function depositedCollateral({ loan, reserve }: LendingPosition): bigint {
  const deposits = [...(loan?.fields.deposits ?? [])];
  const deposit = deposits.find(({ depositReserve }) => depositReserve === reserve.address);
  return deposit?.depositedAmount ?? 0n;
}

/** What all of them redeem for. */
export const redeemableDeposit = (position: LendingPosition, scene: BuildContext): bigint =>
  redeemedLiquidity(actedReserve(position, scene).rate, depositedCollateral(position));

/** cTokens that are worth an amount of tokens, rounded up; never more than there are in all. */
export function collateralForLiquidity(
  place: LendingActionContext,
  scene: BuildContext,
  amount: bigint,
): bigint {
  const { rate, totalSupply } = actedReserve(place, scene);
  const supply = ceilSf(totalSupply);
  return liquidityToCollateralCeil(rate, supply > 0n && amount > supply ? supply : amount);
}

/** In words. */
export const formatReserveTokens = (
  { decimals, symbol }: LendingActionContext,
  amount: bigint,
): string => `${formatUnits(amount, decimals)} ${symbol}`;

export const createTokenMove = (
  { token: { mint }, decimals }: LendingActionContext,
  amount: bigint,
  certainty: TokenMove['certainty'],
): TokenMove => ({ mint, decimals, amount, certainty });
