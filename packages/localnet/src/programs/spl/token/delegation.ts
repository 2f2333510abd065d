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
  /** Absent in the first form of the instruction. */
  readonly mint?: CheckedMint;
};

export function approveDelegate(call: InvokeContext, asked: Approval): void {
  const account = thawed(readTokenAccount(call, asked.source));
  if (asked.mint !== undefined) requireCheckedMint(call, account, asked.mint);
  requireTokenAuthority(call, account.owner, asked.owner);
  writeTokenAccount(call, asked.source, {
    ...account,
    delegateTag: 1,
    delegate: asked.delegate,
    delegatedAmount: toLamports(asked.amount),
  });
}

/** By the owner, or by the delegate. */
export function revokeDelegate(call: InvokeContext, source: Address, authority: Address): void {
  const account = thawed(readTokenAccount(call, source));
  const isDelegate = authority === delegateOf(account);
  requireTokenAuthority(call, isDelegate ? authority : account.owner, authority);
  writeTokenAccount(call, source, {
    ...withoutDelegate(call, account),
    delegatedAmount: toLamports(0n),
  });
}

function thawed(account: TokenAccount): TokenAccount {
  if (isFrozen(account)) throw tokenRejection('AccountFrozen');
  return account;
}
