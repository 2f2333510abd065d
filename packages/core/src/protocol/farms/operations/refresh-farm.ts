import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { TOKEN_PROGRAM } from '../../spl/programs.ts';
import type { FarmState } from '../layout/farm-state.ts';
import { type FarmContext, farmTime } from '../math/farm-time.ts';
import { isDelegated, issueReward } from '../math/issuance.ts';
import { updateRewards } from './farm-position.ts';

/** The `refreshFarm` instruction. It also fixes two fields that are wrong in old delegated farms. */
export function refreshFarm(farm: FarmState, context: FarmContext): FarmState {
  const delegated = isDelegated(farm);
  const hasNoToken = delegated && farm.token.tokenProgram === TOKEN_PROGRAM;
  const token = hasNoToken ? { ...farm.token, tokenProgram: ZERO_ADDRESS } : farm.token;
  return refreshRewards({ ...farm, isFarmDelegated: delegated ? 1 : 0, token }, context);
}

/** Issues all rewards of the farm. Every stake operation starts with this. */
export const refreshRewards = (farm: FarmState, context: FarmContext): FarmState =>
  updateRewards(farm, (reward) => ({ ...reward, ...issueReward(farm, reward, context) }));

/** The time before the first stake earns nothing. */
export function skipUnstakedTime(farm: FarmState, context: FarmContext): FarmState {
  if (farm.totalStakedAmount !== 0n) return farm;
  const lastIssuanceTs = farmTime(farm, context.at);
  return updateRewards(farm, (reward) => ({ ...reward, lastIssuanceTs }));
}
