import type { FarmState } from '@tidegate/core/protocol/farms/layout';
import type { RewardInfo } from '@tidegate/core/protocol/farms/operations';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';

/** One of the ten places for rewards, in use or not. The program stops at any other. */
export function rewardInfoAt(farm: FarmState, index: bigint): RewardInfo {
  const place = farm.rewardInfos[Number(index)];
  if (place === undefined) throw new ProgramFailure('ProgramFailedToComplete');
  return place;
}
