import type { Address } from '@tidegate/core/base';
import {
  type FarmState,
  farmState,
  type UserState,
  userState,
} from '@tidegate/core/protocol/farms/layout';
import type { FarmPosition } from '@tidegate/core/protocol/farms/operations';
import type { Call } from '../../runtime/program.ts';
import { readFields, writeFields } from '../../runtime/typed-accounts.ts';
import { constrain } from './farm-constraints.ts';
import type { FarmsRules } from './farms-rules.ts';

export type PositionAccounts = { readonly farmState: Address; readonly userState: Address };

export const readFarm = (call: Call, address: Address): FarmState =>
  readFields(call, farmState, address);

export const writeFarm = (call: Call, address: Address, fields: FarmState): void =>
  writeFields(call, farmState, { address, fields });

export const readUser = (call: Call, address: Address): UserState =>
  readFields(call, userState, address);

/** A farm and a user of it. */
export function readPosition(call: Call, accounts: PositionAccounts): FarmPosition {
  const user = readUser(call, accounts.userState);
  const farm = readFarm(call, accounts.farmState);
  constrain(call, user.farmState === accounts.farmState, ['ConstraintHasOne', 'userState']);
  return { farm, user };
}

/** The same, where only the owner of the stake may act. */
export function readOwnPosition(
  call: Call,
  accounts: PositionAccounts & { readonly owner: Address },
): FarmPosition {
  const { owner } = readUser(call, accounts.userState);
  constrain(call, owner === accounts.owner, ['ConstraintHasOne', 'userState']);
  return readPosition(call, accounts);
}

/** Builds without the count of a user's rewards leave it as it was. */
export function writeUser(
  call: Call,
  { countsUserRewards }: FarmsRules,
  { address, user }: { readonly address: Address; readonly user: UserState },
): void {
  const before = call.account(address);
  const isKept = !countsUserRewards && userState.matches(before);
  const { rewardsIssuedCumulative } = isKept ? readUser(call, address) : user;
  writeFields(call, userState, { address, fields: { ...user, rewardsIssuedCumulative } });
}

export function writePosition(
  call: Call,
  rules: FarmsRules,
  { farmState, userState, farm, user }: PositionAccounts & FarmPosition,
): void {
  writeFarm(call, farmState, farm);
  writeUser(call, rules, { address: userState, user });
}
