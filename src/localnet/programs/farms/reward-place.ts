import type { FarmState } from '../../../protocol/farms/layout/farm-state.ts';
import type { RewardInfo } from '../../../protocol/farms/operations/farm-position.ts';
import { ProgramFailure } from '../../runtime/failures.ts';

/** One of the ten places for rewards, in use or not. The program stops at any other. */
export function rewardPlace(farm: FarmState, index: bigint): RewardInfo {
  const place = farm.rewardInfos[Number(index)];
  if (place === undefined) throw new ProgramFailure('ProgramFailedToComplete');
  return place;
}
