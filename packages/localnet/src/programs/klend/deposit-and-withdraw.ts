import type { Address } from '@tidegate/core/base';
import { deposit, depositAndWithdraw } from '@tidegate/core/protocol/klend/operations';
import { type DepositAccounts, logAsked, openDeposit, payDeposit } from './deposits.ts';
import type { Lending } from './lending-constraints.ts';
import { readPositionList, requirePositionList } from './position-accounts.ts';
import { logPosition } from './position-log.ts';
import { creditRefreshed } from './referrers.ts';
import { withoutDeposit } from './repay-and-withdraw.ts';
import { finishWithdrawal, openWithdrawal, type WithdrawAccounts } from './withdrawals.ts';

export type DepositAndWithdrawAccounts = {
  readonly deposit: DepositAccounts;
  readonly withdrawal: WithdrawAccounts;
  readonly remaining: readonly Address[];
};

/** Deposits with the accounts of the first half, withdraws with those of the second. */
export function runDepositAndWithdraw(
  lending: Lending,
  { deposit: accounts, withdrawal, remaining }: DepositAndWithdrawAccounts,
  { amount, collateral }: { readonly amount: bigint; readonly collateral: bigint },
): void {
  const { call, rules } = lending;
  const { reserve: depositReserve } = accounts;
  const { withdrawReserve } = withdrawal;
  const { terms, position: opened } = openDeposit(lending, accounts);
  const second = openWithdrawal(lending, withdrawal);
  logAsked(call, accounts, amount);
  const paid = deposit(opened, terms, { reserve: depositReserve, amount, groupCount: 'later' });
  payDeposit(call, accounts, paid);
  const { reserves, referrerTokenStates } = readPositionList(call, paid.obligation, remaining);
  const position = {
    obligation: opened.obligation,
    reserves: new Map([...reserves, ...second.position.reserves, ...opened.reserves]),
  };
  const after = depositAndWithdraw(position, terms, {
    ...{ depositReserve, amount, withdrawReserve, collateral },
  });
  creditRefreshed(call, {
    position: { obligation: paid.obligation, reserves: position.reserves },
    terms,
    states: referrerTokenStates,
    fees: after.referrerFees,
  });
  finishWithdrawal(call, withdrawal, { before: position, after });
  const left = withoutDeposit(remaining, after.obligation, withdrawReserve);
  requirePositionList(after.obligation, left);
  logPosition(call, after, rules);
}
