import { CodedError } from '../../../base/errors.ts';
import { checkStoredWad } from '../../../base/numbers/decimal-wad.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmState } from '../layout/farm-state.ts';
import { type FarmContext, farmTime } from '../math/farm-time.ts';
import { isDelegated } from '../math/issuance.ts';
import { type FarmPosition, updateTallies } from './farm-position.ts';
import { refreshUserRewards } from './refresh-user-state.ts';
import { checkDepositCap } from './stake.ts';

/**
 * The instruction by which another program tells a farm what a position is worth: lending calls it
 * with the cTokens or the debt of an obligation. The same stake again changes nothing, not even time.
 * No price comes with it, so a farm with an oracle refuses it.
 */
export function setStakeDelegated(
  position: FarmPosition,
  newStake: bigint,
  { at }: Pick<FarmContext, 'at'>,
): FarmPosition {
  checkDelegated(position.farm);
  const oldStake = toLamports(position.user.activeStakeScaled);
  if (oldStake === newStake) return position;
  const { farm, user } = refreshUserRewards(position, { at });
  const added = newStake - oldStake;
  if (added > 0n) checkDepositCap(farm, added, { at });
  const lastStakeTs = added > 0n ? farmTime(farm, at) : user.lastStakeTs;
  const after = {
    farm: {
      ...farm,
      totalActiveStakeScaled: checkStoredWad(farm.totalActiveStakeScaled + added),
      totalStakedAmount: toLamports(farm.totalStakedAmount + added),
    },
    user: { ...user, activeStakeScaled: newStake, lastStakeTs },
  };
  const tallied = updateTallies(after, (_, rewardPerShareScaled) =>
    checkStoredWad(rewardPerShareScaled * newStake),
  );
  return { ...after, user: tallied };
}

/** The program stops at a delegated farm that is not whole numbers only, without any waiting. */
function checkDelegated(farm: FarmState): void {
  if (!isDelegated(farm)) {
    throw farmsRejection('FarmNotDelegated', 'its stakes are set by staking tokens');
  }
  const isPlain =
    farm.totalActiveStakeScaled === farm.totalStakedAmount &&
    farm.totalPendingStakeScaled === 0n &&
    farm.totalPendingAmount === 0n &&
    farm.depositWarmupPeriod === 0 &&
    farm.withdrawalCooldownPeriod === 0;
  if (isPlain) return;
  const reason = 'a delegated farm has pending stake, waiting periods, or scaled shares';
  throw new CodedError('MALFORMED_DATA', { what: 'farm', reason });
}
