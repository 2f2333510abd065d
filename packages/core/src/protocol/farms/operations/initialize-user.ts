import type { Address } from '../../../base/encoding/address.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmState } from '../layout/farm-state.ts';
import { type UserState, userState } from '../layout/user-state.ts';
import { type FarmContext, farmTime } from '../math/farm-time.ts';
import { isDelegated } from '../math/issuance.ts';
import type { FarmPosition } from './farm-position.ts';

export type NewFarmUser = {
  readonly farmState: Address;
  readonly owner: Address;
  /** The owner itself, or in a delegated farm what the stake stands for: an obligation. */
  readonly delegatee: Address;
  /** Of the new account's address. */
  readonly bump: number;
};

/** The instruction of that name. It does not refresh the farm. */
export function initializeUser(
  farm: FarmState,
  who: NewFarmUser,
  moment: FarmContext,
): FarmPosition {
  const { farmState, owner, delegatee, bump } = who;
  const delegated = isDelegated(farm);
  if (!delegated && owner !== delegatee) {
    const reason = 'only in a delegated farm may a stake be for somebody else';
    throw farmsRejection('UserDelegatedFarmNonDelegatedMissmatch', reason);
  }
  if (farm.numUsers === U64_MAX) throw farmsRejection('IntegerOverflow', 'the farm has 2^64 users');
  const now = farmTime(farm, moment.at);
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

/** An account as it is created, all zeros. */
const emptyUser = (): UserState =>
  userState.body.decode(new DataView(new ArrayBuffer(userState.body.size)), 0);
