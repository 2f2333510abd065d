import { toLamports } from '../../../base/numbers/lamports.ts';
import { klendRejection } from '../errors.ts';
import type { Reserve } from '../layout/reserve.ts';
import { type LendingContext, requireNonZeroAmount, requireOpenReserve } from './position.ts';
import { accrueReserveToSlot } from './refresh/refresh-reserve.ts';

/** The first checks of `topUpRewards`, before that of the mint's extensions. */
export function requireTopUp(reserve: Reserve, context: LendingContext, amount: bigint): void {
  requireNonZeroAmount(amount);
  requireOpenReserve(context, reserve);
}

/** The `topupReserveRewards` instruction: what is due so far is distributed first. */
export function topUpRewards(reserve: Reserve, context: LendingContext, amount: bigint): Reserve {
  requireTopUp(reserve, context, amount);
  if (context.market.reserveRewardsMaxAprBps === 0) {
    throw klendRejection('ReserveRewardsDisabled', 'the market has no rewards of reserves');
  }
  const { liquidity, ...rest } = accrueReserveToSlot(reserve, context);
  const rewardsAmountAvailable = toLamports(liquidity.rewardsAmountAvailable + amount);
  return { ...rest, liquidity: { ...liquidity, rewardsAmountAvailable } };
}
