import type { Address, DecodedInstruction, InstructionAccountRoles } from '@tidegate/core/base';
import {
  klendRejection,
  type LendingRules,
  lendingMarketAuthority,
} from '@tidegate/core/protocol/klend';
import {
  type LendingMarket,
  lendingMarket,
  type Obligation,
  obligation,
  type Reserve,
  reserve,
} from '@tidegate/core/protocol/klend/layout';
import {
  type LendingContext,
  requireNoMarketEmergency,
} from '@tidegate/core/protocol/klend/operations';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount } from '../../runtime/typed-accounts.ts';
import { anchorFailure } from '../framework/anchor-program.ts';

/** A call of the lending program, and the rules of its build. */
export type LendingCall = { readonly call: InvokeContext; readonly rules: LendingRules };

/** The accounts of an instruction. */
export type InstructionAccounts<A extends InstructionAccountRoles> = DecodedInstruction<
  A,
  Record<never, never>,
  undefined
>['accounts'];

/** The context of every operation. Fails while the market is in emergency mode. */
export function loadMarketContext({ call, rules }: LendingCall, address: Address): LendingContext {
  const market = readMarket(call, address);
  requireNoMarketEmergency({ market });
  return { market, time: call.time, rules };
}

export const readMarket = (call: InvokeContext, address: Address): LendingMarket =>
  readAccount(call, lendingMarket, address);

/** The authority that signs for the market's vaults and mints. */
export function requireMarketAuthority(
  call: InvokeContext,
  market: Address,
  authority: Address,
): void {
  if (authority === lendingMarketAuthority(market, call.program)) return;
  throw anchorFailure(call, 'ConstraintSeeds', 'lendingMarketAuthority');
}

/** A reserve of that market. `slot`: its name in the instruction. */
export function readReserve(
  call: InvokeContext,
  address: Address,
  { market, slot = 'reserve' }: { readonly market: Address; readonly slot?: string },
): Reserve {
  const fields = readAccount(call, reserve, address);
  if (fields.lendingMarket !== market) throw anchorFailure(call, 'ConstraintHasOne', slot);
  return fields;
}

/** An obligation of that market and, if given, of that owner. */
export function readObligation(
  call: InvokeContext,
  address: Address,
  { market, owner }: { readonly market: Address; readonly owner?: Address },
): Obligation {
  const fields = readAccount(call, obligation, address);
  const isOwned = owner === undefined || fields.owner === owner;
  if (fields.lendingMarket === market && isOwned) return fields;
  throw anchorFailure(call, 'ConstraintHasOne', 'obligation');
}

type Accounts = { readonly [name: string]: Address | undefined };

/** Accounts with a fixed address, usually set by the reserve. */
export function requireAddresses<A extends Accounts>(
  call: InvokeContext,
  accounts: A,
  expected: { readonly [Name in keyof A]?: Address },
): void {
  const mismatch = findMismatch(accounts, expected);
  if (mismatch !== undefined) throw anchorFailure(call, 'ConstraintAddress', mismatch);
}

/** Program accounts. */
export function requirePrograms<A extends Accounts>(
  call: InvokeContext,
  accounts: A,
  expected: { readonly [Name in keyof A]?: Address },
): void {
  const mismatch = findMismatch(accounts, expected);
  if (mismatch !== undefined) throw anchorFailure(call, 'InvalidProgramId', mismatch);
}

function findMismatch(accounts: Accounts, expected: Accounts): string | undefined {
  return Object.entries(expected).find(([name, address]) => accounts[name] !== address)?.[0];
}

/** Fails if a user account is the reserve's vault. */
export function requireNotReserveVault(address: Address, vault: Address): void {
  if (address !== vault) return;
  throw klendRejection('InvalidAccountInput', 'a vault of the reserve stands for a user account');
}
