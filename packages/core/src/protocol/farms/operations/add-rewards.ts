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

/** The `addRewards` instruction. `amount` moves from the payer's token account to the reward vault. */
export function addRewards(farm: FarmState, topUp: RewardTopUp, context: FarmContext): FarmState {
  const { rewardIndex, rewardMint, amount } = topUp;
  const refreshed = refreshRewards(farm, context);
  const reward = refreshed.rewardInfos[rewardIndex];
  if (reward === undefined || reward.token.mint !== rewardMint) {
    throw farmsRejection('RewardDoesNotExist', `reward ${rewardIndex} has another mint`);
  }
  const available = reward.rewardsAvailable + amount;
  if (available > U64_MAX)
    throw farmsRejection('IntegerOverflow', 'the available rewards exceed 64 bits');
  const rewardInfos = refreshed.rewardInfos.with(rewardIndex, {
    ...reward,
    rewardsAvailable: toLamports(available),
  });
  return { ...refreshed, rewardInfos };
}
