import { type Address, toAddress, toLamports } from '@tidegate/core/base';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { TokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../../runtime/program.ts';
import { ProgramFailure } from '../../../runtime/transaction-errors.ts';
import { tokenRejection } from './token-errors.ts';
import { delegateOf, withoutDelegate } from './token-state.ts';

/** Tokens sent there are destroyed. */
export const INCINERATOR = toAddress('1nc1nerator11111111111111111111111111111111');

export function requireTokenAuthority(
  call: InvokeContext,
  expected: Address,
  authority: Address,
): void {
  if (authority !== expected) throw tokenRejection('OwnerMismatch');
  requireSigner(call, authority);
}

/** Accounts without an owner: anyone may burn their tokens. */
export const isUnowned = ({ owner }: TokenAccount): boolean =>
  owner === SYSTEM_PROGRAM || owner === INCINERATOR;

export type Spending = {
  readonly authority: Address;
  readonly amount: bigint;
  /** The mint's permanent delegate, who may transfer from any account. */
  readonly permanentDelegate: Address | undefined;
};

/** Checks the authority for `amount` and returns the account with the reduced delegation. */
export function authorizeSpending(
  call: InvokeContext,
  account: TokenAccount,
  spending: Spending,
): TokenAccount {
  const { authority, amount, permanentDelegate } = spending;
  if (authority === permanentDelegate) {
    requireSigner(call, authority);
    return account;
  }
  if (authority !== delegateOf(account)) {
    requireTokenAuthority(call, account.owner, authority);
    return account;
  }
  requireSigner(call, authority);
  if (account.delegatedAmount < amount) throw tokenRejection('InsufficientFunds');
  const delegatedAmount = toLamports(account.delegatedAmount - amount);
  const spent = { ...account, delegatedAmount };
  return delegatedAmount === 0n ? withoutDelegate(call, spent) : spent;
}

function requireSigner(call: InvokeContext, address: Address): void {
  if (!call.isSigner(address)) throw new ProgramFailure('MissingRequiredSignature');
}
