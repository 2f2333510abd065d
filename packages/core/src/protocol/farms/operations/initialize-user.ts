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
