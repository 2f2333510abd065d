import { type Address, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { rentExemptLamports, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import {
  findExtension,
  mint as mintKind,
  type TokenAccount,
} from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../../runtime/program.ts';
import { ProgramFailure } from '../../../runtime/transaction-errors.ts';
import { INCINERATOR, isUnowned, requireTokenAuthority } from './authorities.ts';
import {
  delegateOf,
  FROZEN,
  INITIALIZED,
  isFrozen,
  isNative,
  isToken2022,
  readMint,
  readTokenAccount,
  requireProgramOwned,
  tokenRejection,
  withoutDelegate,
  writeTokenAccount,
} from './token-state.ts';
import { type CheckedMint, requireCheckedMint } from './transfers.ts';

type CloseRequest = {
  readonly account: Address;
  readonly destination: Address;
  readonly owner: Address;
};

/**
 * Closes a token account, or a Token-2022 mint that allows it. The lamports go to `destination`.
 */
export function closeTokenAccount(call: InvokeContext, request: CloseRequest): void {
  const { account, destination } = request;
  if (isToken2022(call)) requireProgramOwned(call, account);
  if (account === destination) throw new ProgramFailure('InvalidAccountData');
  const before = call.account(account);
  if (isToken2022(call) && mintKind.matches(before)) requireClosableMint(call, request);
  else requireClosable(call, request);
  call.updateAccount(account, { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array() });
  call.updateAccount(destination, {
    lamports: call.account(destination).lamports + before.lamports,
  });
}

function requireClosable(call: InvokeContext, { account, destination, owner }: CloseRequest): void {
  const token = readTokenAccount(call, account);
  if (!isNative(token) && token.amount !== 0n) throw tokenRejection('NonNativeHasBalance');
  if (!isUnowned(token)) {
    const authority = token.closeAuthorityTag === 1 ? token.closeAuthority : token.owner;
    requireTokenAuthority(call, authority, owner);
  } else if (destination !== INCINERATOR) throw new ProgramFailure('InvalidAccountData');
  const fees = findExtension(token.extensions, 'transferFeeAmount')?.value.withheldAmount ?? 0n;
  if (fees !== 0n) throw tokenRejection('AccountHasWithheldTransferFees');
}

function requireClosableMint(call: InvokeContext, { account, owner }: CloseRequest): void {
  const mint = readMint(call, account);
  const authority = findExtension(mint.extensions, 'mintCloseAuthority')?.value.closeAuthority;
  if (authority === undefined) throw tokenRejection('ExtensionNotFound');
  if (authority === ZERO_ADDRESS) throw tokenRejection('AuthorityTypeNotSupported');
  requireTokenAuthority(call, authority, owner);
  if (mint.supply !== 0n) throw tokenRejection('MintHasSupply');
}

type FreezeRequest = {
  readonly account: Address;
  readonly mint: Address;
  readonly freezeAuthority: Address;
};

export function setFrozen(
  call: InvokeContext,
  request: FreezeRequest,
  isFrozenAfter: boolean,
): void {
  const account = readTokenAccount(call, request.account);
  if (isFrozen(account) === isFrozenAfter) throw tokenRejection('InvalidState');
  if (isNative(account)) throw tokenRejection('NativeNotSupported');
  if (account.mint !== request.mint) throw tokenRejection('MintMismatch');
  const mint = readMint(call, request.mint);
  if (mint.freezeAuthorityTag !== 1) throw tokenRejection('MintCannotFreeze');
  requireTokenAuthority(call, mint.freezeAuthority, request.freezeAuthority);
  writeTokenAccount(call, request.account, {
    ...account,
    state: isFrozenAfter ? FROZEN : INITIALIZED,
  });
}

type Approval = {
  readonly source: Address;
  readonly delegate: Address;
  readonly owner: Address;
  readonly amount: bigint;
  /** Undefined for the unchecked instruction. */
  readonly mint?: CheckedMint;
};

export function approveDelegate(call: InvokeContext, request: Approval): void {
  const account = requireThawed(readTokenAccount(call, request.source));
  if (request.mint !== undefined) requireCheckedMint(call, account, request.mint);
  requireTokenAuthority(call, account.owner, request.owner);
  writeTokenAccount(call, request.source, {
    ...account,
    delegateTag: 1,
    delegate: request.delegate,
    delegatedAmount: toLamports(request.amount),
  });
}

/** The owner or the delegate may revoke. */
export function revokeDelegate(call: InvokeContext, source: Address, authority: Address): void {
  const account = requireThawed(readTokenAccount(call, source));
  const isDelegate = authority === delegateOf(account);
  requireTokenAuthority(call, isDelegate ? authority : account.owner, authority);
  writeTokenAccount(call, source, {
    ...withoutDelegate(call, account),
    delegatedAmount: toLamports(0n),
  });
}

function requireThawed(account: TokenAccount): TokenAccount {
  if (isFrozen(account)) throw tokenRejection('AccountFrozen');
  return account;
}

/** Sets the amount to the lamports above the rent. */
export function syncNativeBalance(call: InvokeContext, address: Address): void {
  requireProgramOwned(call, address);
  const account = readTokenAccount(call, address);
  if (!isNative(account)) throw tokenRejection('NonNativeNotSupported');
  const { lamports, data } = call.account(address);
  const rent = rentExemptLamports(data.length);
  writeTokenAccount(call, address, {
    ...account,
    isNative: toLamports(rent),
    amount: toLamports(lamports - rent),
  });
}
