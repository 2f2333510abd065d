import type { Address } from '@tidegate/core/base';
import type { FarmsRules } from '@tidegate/core/protocol/farms';
import {
  type FarmState,
  farmState,
  type UserState,
  userState,
} from '@tidegate/core/protocol/farms/layout';
import type { FarmPosition } from '@tidegate/core/protocol/farms/operations';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import { requireConstraint } from './farm-constraints.ts';

export type FarmPositionAccounts = { readonly farmState: Address; readonly userState: Address };

export const readFarm = (call: InvokeContext, address: Address): FarmState =>
  readAccount(call, farmState, address);

export const writeFarm = (call: InvokeContext, address: Address, fields: FarmState): void =>
  writeAccount(call, farmState, { address, fields });

export const readUserState = (call: InvokeContext, address: Address): UserState =>
  readAccount(call, userState, address);

/** Reads a farm and one of its users. */
export function readFarmPosition(
  call: InvokeContext,
  accounts: FarmPositionAccounts,
): FarmPosition {
  const user = readUserState(call, accounts.userState);
  const farm = readFarm(call, accounts.farmState);
  requireConstraint(call, user.farmState === accounts.farmState, ['ConstraintHasOne', 'userState']);
  return { farm, user };
}

/** Like `readFarmPosition`, for the owner of the stake only. */
export function readFarmPositionOfOwner(
  call: InvokeContext,
  accounts: FarmPositionAccounts & { readonly owner: Address },
): FarmPosition {
  const { owner } = readUserState(call, accounts.userState);
  requireConstraint(call, owner === accounts.owner, ['ConstraintHasOne', 'userState']);
  return readFarmPosition(call, accounts);
}

/** Builds without cumulative user rewards leave the field unchanged. */
export function writeUserState(
  call: InvokeContext,
  { countsUserRewards }: FarmsRules,
  { address, user }: { readonly address: Address; readonly user: UserState },
): void {
  const before = call.account(address);
  const isUnchanged = !countsUserRewards && userState.matches(before);
  const { rewardsIssuedCumulative } = isUnchanged ? readUserState(call, address) : user;
  writeAccount(call, userState, { address, fields: { ...user, rewardsIssuedCumulative } });
}

export function writeFarmPosition(
  call: InvokeContext,
  rules: FarmsRules,
  { farmState, userState, farm, user }: FarmPositionAccounts & FarmPosition,
): void {
  writeFarm(call, farmState, farm);
  writeUserState(call, rules, { address: userState, user });
}
