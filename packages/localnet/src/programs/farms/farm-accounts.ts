import type { Address } from '@tidegate/core/base';
import { type FarmsRules, farmsRejection } from '@tidegate/core/protocol/farms';
import {
  type FarmState,
  farmState,
  type UserState,
  userState,
} from '@tidegate/core/protocol/farms/layout';
import { type FarmContext, hasOracle } from '@tidegate/core/protocol/farms/math';
import type { FarmPosition } from '@tidegate/core/protocol/farms/operations';
import { oraclePrices } from '@tidegate/core/protocol/scope/layout';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { customError, ProgramFailure } from '../../runtime/transaction-errors.ts';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import { anchorFailure } from '../framework/anchor-program.ts';

type FarmPositionAccounts = { readonly farmState: Address; readonly userState: Address };

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

type AnchorFailure = readonly [name: Parameters<typeof anchorFailure>[1], slot: string];
type FarmsRejection = Parameters<typeof farmsRejection>;

/** A constraint that Anchor checks. `failure`: the error and the account at fault. */
export function requireConstraint(
  call: InvokeContext,
  isMet: boolean,
  failure: AnchorFailure,
): void {
  if (!isMet) throw anchorFailure(call, ...failure);
}

/** A rule with a program-defined error. */
export function requireFarmRule(isMet: boolean, ...rejection: FarmsRejection): void {
  if (!isMet) throw farmsRejection(...rejection);
}

export function rejectRemainingAccounts(remaining: readonly Address[]): void {
  requireFarmRule(
    remaining.length === 0,
    'UnexpectedAccount',
    'more accounts are given than it takes',
  );
}

const ACCOUNT_SYSVAR_MISMATCH = 3015;

/** Accounts of instructions that create an account. */
export function checkSystemAccounts(
  call: InvokeContext,
  accounts: { readonly systemProgram: Address; readonly rent: Address },
): void {
  const { systemProgram, rent } = accounts;
  requireConstraint(call, systemProgram === SYSTEM_PROGRAM, ['InvalidProgramId', 'systemProgram']);
  if (rent !== RENT_SYSVAR) throw customError(ACCOUNT_SYSVAR_MISMATCH);
}

/**
 * The current time and the oracle price that the farm uses. A price account that is not needed must
 * still be valid.
 */
export function readFarmContext(
  call: InvokeContext,
  farm: FarmState,
  scopePrices: Address | undefined,
): FarmContext {
  const view = scopePrices === undefined ? undefined : oraclePrices.view(call.account(scopePrices));
  if (!hasOracle(farm)) return { at: call.time };
  const reason = 'the farm counts by an oracle price, and its price account is not given';
  requireFarmRule(
    view !== undefined && scopePrices === farm.scopePrices,
    'InvalidOracleConfig',
    reason,
  );
  const price = view?.prices.at(Number(farm.scopeOraclePriceId));
  if (price === undefined) throw new ProgramFailure('ProgramFailedToComplete');
  return {
    at: call.time,
    price: {
      price: { value: price.price.value, exp: price.price.exp },
      unixTimestamp: price.unixTimestamp,
    },
  };
}

type ZeroedLayout = { readonly size: number; readonly discriminator: Uint8Array };

/** The caller has created the account with its size. Only an unused one has no discriminator. */
export function requireZeroed(
  call: InvokeContext,
  { size, discriminator }: ZeroedLayout,
  { slot, address }: { readonly slot: string; readonly address: Address },
): void {
  const { owner, data } = call.account(address);
  requireConstraint(call, owner === call.program, ['AccountOwnedByWrongProgram', slot]);
  const start = data.subarray(0, discriminator.length);
  const isZeroed = data.length >= size && start.every((byte) => byte === 0);
  requireConstraint(call, isZeroed, ['ConstraintZero', slot]);
}
