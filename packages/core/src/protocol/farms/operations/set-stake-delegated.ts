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
 * The `setStakeDelegated` instruction. The lending program calls it with the cTokens or the debt of an obligation.
 * An unchanged stake changes nothing, not even the issuance time. It passes no price, so it fails in a farm with an
 * oracle.
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

/** The program fails unless a delegated farm has plain amounts and no pending stakes or periods. */
function checkDelegated(farm: FarmState): void {
  if (!isDelegated(farm)) {
    throw farmsRejection('FarmNotDelegated', 'users stake tokens in this farm');
  }
  const isPlain =
    farm.totalActiveStakeScaled === farm.totalStakedAmount &&
    farm.totalPendingStakeScaled === 0n &&
    farm.totalPendingAmount === 0n &&
    farm.depositWarmupPeriod === 0 &&
    farm.withdrawalCooldownPeriod === 0;
  if (isPlain) return;
  const reason = 'a delegated farm has pending stake, a warmup or cooldown, or scaled shares';
  throw new CodedError('MALFORMED_DATA', { what: 'farm', reason });
}
