import type { Address } from '../../../base/encoding/address.ts';
import { CodedError } from '../../../base/errors.ts';
import { checkStoredWad } from '../../../base/numbers/decimal-wad.ts';
import { type Lamports, toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmState } from '../layout/farm-state.ts';
import { type UserState, userState } from '../layout/user-state.ts';
import { type FarmContext, farmTime, isDelegated } from '../math/issuance.ts';
import { type FarmPosition, refreshStake, refreshUserRewards, updateTallies } from './refresh.ts';
import { addStake, checkDepositCap, unstake, withdrawUnstakedDeposits } from './stake.ts';

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

export type NewFarmUser = {
  readonly farmState: Address;
  readonly owner: Address;
  /** The owner, or in a delegated farm the obligation that the stake represents. */
  readonly delegatee: Address;
  /** The bump of the new account's address. */
  readonly bump: number;
};

/** The `initializeUser` instruction. Does not refresh the farm. */
export function initializeUser(
  farm: FarmState,
  newUser: NewFarmUser,
  context: FarmContext,
): FarmPosition {
  const { farmState, owner, delegatee, bump } = newUser;
  const delegated = isDelegated(farm);
  if (!delegated && owner !== delegatee) {
    const reason = 'only a delegated farm allows a delegatee other than the owner';
    throw farmsRejection('UserDelegatedFarmNonDelegatedMissmatch', reason);
  }
  if (farm.numUsers === U64_MAX) throw farmsRejection('IntegerOverflow', 'the farm has 2^64 users');
  const now = farmTime(farm, context.at);
  const empty = emptyUser();
  const user: UserState = {
    ...empty,
    userId: farm.numUsers,
    farmState,
    owner,
    isFarmDelegated: delegated ? 1 : 0,
    lastClaimTs: empty.lastClaimTs.map(() => now),
    bump: BigInt(bump),
    delegatee,
  };
  return { farm: { ...farm, numUsers: farm.numUsers + 1n }, user };
}

/** A new account with all fields zero. */
const emptyUser = (): UserState =>
  userState.body.decode(new DataView(new ArrayBuffer(userState.body.size)), 0);

export type OwnershipTransfer = {
  readonly farm: FarmState;
  readonly oldUser: UserState;
  readonly newUser: UserState;
};

/**
 * The `transferOwnership` instruction: unstakes, withdraws and stakes the full stake for the new user. The cap does
 * not apply because the farm's total does not change. Earned rewards stay with the old user.
 */
export function transferOwnership(
  { farm, oldUser, newUser }: OwnershipTransfer,
  context: FarmContext,
): OwnershipTransfer & { readonly amount: Lamports } {
  checkTransferable(farm, oldUser);
  const shares = oldUser.activeStakeScaled;
  if (shares === 0n) throw farmsRejection('NothingToUnstake', 'the user has no active stake');
  const unstaked = unstake({ farm, user: oldUser }, shares, context);
  const left = withdrawUnstakedDeposits(unstaked, context);
  const refreshed = refreshUserRewards({ farm: left.farm, user: newUser }, context);
  const joined = addStake(refreshStake(refreshed, context), left.amount, context);
  return { farm: joined.farm, oldUser: left.user, newUser: joined.user, amount: left.amount };
}

function checkTransferable(farm: FarmState, user: UserState): void {
  if (isDelegated(farm)) throw farmsRejection('FarmDelegated', 'another program sets its stakes');
  if (user.delegatee !== user.owner) {
    const reason = 'the delegatee of the stake is not its owner';
    throw farmsRejection('InvalidTransferOwnershipUserStateOwnerDelegatee', reason);
  }
  if (farm.lockingMode !== 0n) {
    const reason = 'the farm locks stakes';
    throw farmsRejection('InvalidTransferOwnershipFarmStateLockingMode', reason);
  }
  if (farm.withdrawalCooldownPeriod !== 0) {
    const reason = 'the farm has a cooldown';
    throw farmsRejection('InvalidTransferOwnershipFarmStateWithdrawCooldownPeriod', reason);
  }
  if (farm.depositWarmupPeriod !== 0) {
    const reason = 'the farm has a warmup';
    throw farmsRejection('InvalidTransferOwnershipFarmStateDepositWarmupPeriod', reason);
  }
}
