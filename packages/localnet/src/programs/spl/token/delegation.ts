import { type Address, toLamports } from '@tidegate/core/base';
import type { TokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../../runtime/program.ts';
import { requireTokenAuthority } from './authority.ts';
import { type CheckedMint, requireCheckedMint } from './mint-transfer-rules.ts';
import { tokenRejection } from './token-errors.ts';
import {
  delegateOf,
  isFrozen,
  readTokenAccount,
  withoutDelegate,
  writeTokenAccount,
} from './token-state.ts';

export type Approval = {
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
