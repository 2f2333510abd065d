import type { Lamports } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmState } from '../layout/farm-state.ts';
import type { UserState } from '../layout/user-state.ts';
import type { FarmContext } from '../math/farm-time.ts';
import { isDelegated } from '../math/issuance.ts';
import { refreshStake, refreshUserRewards } from './refresh-user-state.ts';
import { addStake } from './stake.ts';
import { unstake } from './unstake.ts';
import { withdrawUnstakedDeposits } from './withdraw-unstaked-deposits.ts';

export type OwnershipTransfer = {
  readonly farm: FarmState;
  readonly oldUser: UserState;
  readonly newUser: UserState;
};

/**
 * The `transferOwnership` instruction: unstakes, withdraws and stakes the full stake for the new user. The cap does
 * not apply because the farm's total does not change. Earned rewards stay with the old user.
 */
export function transferOwnership(
  { farm, oldUser, newUser }: OwnershipTransfer,
  context: FarmContext,
): OwnershipTransfer & { readonly amount: Lamports } {
  checkTransferable(farm, oldUser);
  const shares = oldUser.activeStakeScaled;
  if (shares === 0n) throw farmsRejection('NothingToUnstake', 'the user has no active stake');
  const unstaked = unstake({ farm, user: oldUser }, shares, context);
  const left = withdrawUnstakedDeposits(unstaked, context);
  const refreshed = refreshUserRewards({ farm: left.farm, user: newUser }, context);
  const joined = addStake(refreshStake(refreshed, context), left.amount, context);
  return { farm: joined.farm, oldUser: left.user, newUser: joined.user, amount: left.amount };
}

function checkTransferable(farm: FarmState, user: UserState): void {
  if (isDelegated(farm)) throw farmsRejection('FarmDelegated', 'another program sets its stakes');
  if (user.delegatee !== user.owner) {
    const reason = 'the delegatee of the stake is not its owner';
    throw farmsRejection('InvalidTransferOwnershipUserStateOwnerDelegatee', reason);
  }
  if (farm.lockingMode !== 0n) {
    const reason = 'the farm locks stakes';
    throw farmsRejection('InvalidTransferOwnershipFarmStateLockingMode', reason);
  }
  if (farm.withdrawalCooldownPeriod !== 0) {
    const reason = 'the farm has a cooldown';
    throw farmsRejection('InvalidTransferOwnershipFarmStateWithdrawCooldownPeriod', reason);
  }
  if (farm.depositWarmupPeriod !== 0) {
    const reason = 'the farm has a warmup';
    throw farmsRejection('InvalidTransferOwnershipFarmStateDepositWarmupPeriod', reason);
  }
}
