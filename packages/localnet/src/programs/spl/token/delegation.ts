import { type Address, toLamports } from '@tidegate/core/base';
import type { TokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { Call } from '../../../runtime/program.ts';
import { requireAuthority } from './authority.ts';
import { type NamedMint, requireMint } from './mint-transfer-rules.ts';
import { refused } from './token-errors.ts';
import { delegateOf, isFrozen, readToken, withoutDelegate, writeToken } from './token-state.ts';

export type Approval = {
  readonly source: Address;
  readonly delegate: Address;
  readonly owner: Address;
  readonly amount: bigint;
  /** Absent in the first form of the instruction. */
  readonly mint?: NamedMint;
};

export function approveDelegate(call: Call, asked: Approval): void {
  const account = thawed(readToken(call, asked.source));
  if (asked.mint !== undefined) requireMint(call, account, asked.mint);
  requireAuthority(call, account.owner, asked.owner);
  writeToken(call, asked.source, {
    ...account,
    delegateTag: 1,
    delegate: asked.delegate,
    delegatedAmount: toLamports(asked.amount),
  });
}

/** By the owner, or by the delegate. */
export function revokeDelegate(call: Call, source: Address, authority: Address): void {
  const account = thawed(readToken(call, source));
  const isDelegate = authority === delegateOf(account);
  requireAuthority(call, isDelegate ? authority : account.owner, authority);
  writeToken(call, source, { ...withoutDelegate(call, account), delegatedAmount: toLamports(0n) });
}

function thawed(account: TokenAccount): TokenAccount {
  if (isFrozen(account)) throw refused('AccountFrozen');
  return account;
}
