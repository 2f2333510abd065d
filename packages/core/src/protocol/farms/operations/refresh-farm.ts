import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { TOKEN_PROGRAM } from '../../spl/programs.ts';
import type { FarmState } from '../layout/farm-state.ts';
import { type FarmContext, farmTime } from '../math/farm-time.ts';
import { isDelegated, issueReward } from '../math/issuance.ts';
import { updateRewards } from './farm-position.ts';

/** The instruction of that name. It also puts right two fields that old delegated farms have wrong. */
export function refreshFarm(farm: FarmState, moment: FarmContext): FarmState {
  const delegated = isDelegated(farm);
  const hasNoToken = delegated && farm.token.tokenProgram === TOKEN_PROGRAM;
  const token = hasNoToken ? { ...farm.token, tokenProgram: ZERO_ADDRESS } : farm.token;
  return refreshRewards({ ...farm, isFarmDelegated: delegated ? 1 : 0, token }, moment);
}

/** All rewards of a farm brought to a moment: how every operation on a stake begins. */
export const refreshRewards = (farm: FarmState, moment: FarmContext): FarmState =>
  updateRewards(farm, (reward) => ({ ...reward, ...issueReward(farm, reward, moment) }));

/** The time before the first stake earns nothing. */
export function skipUnstakedTime(farm: FarmState, moment: FarmContext): FarmState {
  if (farm.totalStakedAmount !== 0n) return farm;
  const lastIssuanceTs = farmTime(farm, moment.at);
  return updateRewards(farm, (reward) => ({ ...reward, lastIssuanceTs }));
}
