import type { Address } from '../../../base/encoding/address.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmState } from '../layout/farm-state.ts';
import type { FarmContext } from '../math/farm-time.ts';
import { refreshRewards } from './refresh-farm.ts';

export type RewardTopUp = {
  readonly rewardIndex: number;
  readonly rewardMint: Address;
  readonly amount: bigint;
};

/** The instruction of that name; `amount` goes from the payer's token account to the reward's vault. */
export function addRewards(farm: FarmState, topUp: RewardTopUp, moment: FarmContext): FarmState {
  const { rewardIndex, rewardMint, amount } = topUp;
  const refreshed = refreshRewards(farm, moment);
  const reward = refreshed.rewardInfos[rewardIndex];
  if (reward === undefined || reward.token.mint !== rewardMint) {
    throw farmsRejection('RewardDoesNotExist', `reward ${rewardIndex} is of another mint`);
  }
  const available = reward.rewardsAvailable + amount;
  if (available > U64_MAX) throw farmsRejection('IntegerOverflow', 'the farm has too much to give');
  const rewardInfos = refreshed.rewardInfos.with(rewardIndex, {
    ...reward,
    rewardsAvailable: toLamports(available),
  });
  return { ...refreshed, rewardInfos };
}
