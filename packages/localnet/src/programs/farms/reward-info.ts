import type { FarmState } from '@tidegate/core/protocol/farms/layout';
import type { RewardInfo } from '@tidegate/core/protocol/farms/operations';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';

/** One of the ten reward slots, used or not. The program panics beyond them. */
export function rewardInfoAt(farm: FarmState, index: bigint): RewardInfo {
  const reward = farm.rewardInfos[Number(index)];
  if (reward === undefined) throw new ProgramFailure('ProgramFailedToComplete');
  return reward;
}
