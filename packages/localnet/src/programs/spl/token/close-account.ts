import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { findExtension, mint as mintKind } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../../runtime/program.ts';
import { ProgramFailure } from '../../../runtime/transaction-errors.ts';
import { INCINERATOR, isUnowned, requireTokenAuthority } from './authority.ts';
import { tokenRejection } from './token-errors.ts';
import {
  isNative,
  isToken2022,
  readMint,
  readTokenAccount,
  requireProgramOwned,
} from './token-state.ts';

export type CloseRequest = {
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
