import {
  type Address,
  bytesEqual,
  type DecodedInstruction,
  type InstructionAccountRoles,
} from '@tidegate/core/base';
import {
  klendRejection,
  type LendingRules,
  lendingMarketAuthority,
  needsPermission,
  type PermissionedOperation,
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
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { advanceNonceAccount } from '@tidegate/core/protocol/spl/instructions';
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

type PermissionCheck = {
  readonly market: LendingMarket;
  readonly reserves: readonly Reserve[];
  readonly operation: PermissionedOperation;
  /** Accounts after the named ones. */
  readonly remaining: readonly Address[];
};

/**
 * Requires the signature of the market's permissioning authority where an operation needs it. The authority is the last of
 * the remaining accounts; returns the others.
 */
export function requirePermission(
  call: InvokeContext,
  { market, reserves, operation, remaining }: PermissionCheck,
): readonly Address[] {
  if (!needsPermission(market, reserves, operation)) return remaining;
  const authority = remaining.at(-1);
  if (authority !== market.permissioningAuthority) {
    throw klendRejection('MissingPermissioner', `${market.permissioningAuthority} must sign`);
  }
  if (!call.isSigner(authority)) throw anchorFailure(call, 'AccountNotSigner');
  return remaining.slice(0, -1);
}

/**
 * Administrators cannot use a durable nonce, unless the market allows it: a transaction that was signed long ago could be
 * sent at any time. Every instruction of the transaction is looked at, not only the first.
 */
export function requireNoDurableNonce(
  { call, rules }: LendingCall,
  { disableNonceBlock }: LendingMarket,
): void {
  if (rules.durableNonces === 'allowed' || disableNonceBlock !== 0) return;
  const { discriminator } = advanceNonceAccount;
  const hasNonce = call.instructions.some(
    ({ programAddress, data }) =>
      programAddress === SYSTEM_PROGRAM &&
      bytesEqual(data.subarray(0, discriminator.length), discriminator),
  );
  if (!hasNonce) return;
  throw klendRejection(
    'TransactionIncludesNonceInstruction',
    'the transaction has a durable nonce',
  );
}
