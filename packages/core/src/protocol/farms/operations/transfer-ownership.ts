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
 * The instruction of that name: the whole stake is unstaked, withdrawn and staked for the other user at
 * once. The cap does not count, for the farm holds no more than before. Rewards so far stay with the old one.
 */
export function transferOwnership(
  { farm, oldUser, newUser }: OwnershipTransfer,
  moment: FarmContext,
): OwnershipTransfer & { readonly amount: Lamports } {
  checkTransferable(farm, oldUser);
  const shares = oldUser.activeStakeScaled;
  if (shares === 0n) throw farmsRejection('NothingToUnstake', 'the user has no active stake');
  const unstaked = unstake({ farm, user: oldUser }, shares, moment);
  const left = withdrawUnstakedDeposits(unstaked, moment);
  const refreshed = refreshUserRewards({ farm: left.farm, user: newUser }, moment);
  const joined = addStake(refreshStake(refreshed, moment), left.amount, moment);
  return { farm: joined.farm, oldUser: left.user, newUser: joined.user, amount: left.amount };
}

function checkTransferable(farm: FarmState, user: UserState): void {
  if (isDelegated(farm)) throw farmsRejection('FarmDelegated', 'its stakes follow another program');
  if (user.delegatee !== user.owner) {
    const reason = 'the stake stands for somebody else than its owner';
    throw farmsRejection('InvalidTransferOwnershipUserStateOwnerDelegatee', reason);
  }
  if (farm.lockingMode !== 0n) {
    const reason = 'stakes of the farm are locked';
    throw farmsRejection('InvalidTransferOwnershipFarmStateLockingMode', reason);
  }
  if (farm.withdrawalCooldownPeriod !== 0) {
    const reason = 'the farm has a cooldown';
    throw farmsRejection('InvalidTransferOwnershipFarmStateWithdrawCooldownPeriod', reason);
  }
  if (farm.depositWarmupPeriod !== 0) {
    const reason = 'the farm has a warm-up';
    throw farmsRejection('InvalidTransferOwnershipFarmStateDepositWarmupPeriod', reason);
  }
}
