import type { Address } from '@tidegate/core/base';
import { deposit, depositAndWithdraw } from '@tidegate/core/protocol/klend/operations';
import {
  type DepositAccounts,
  loadDeposit,
  logRequestedDeposit,
  settleDeposit,
} from './deposits.ts';
import type { LendingCall } from './lending-constraints.ts';
import { readObligationReserves, requireObligationReserves } from './position-accounts.ts';
import { logPosition } from './position-log.ts';
import { creditReferralInterest } from './referrers.ts';
import { withoutClosedDeposit } from './repay-and-withdraw.ts';
import { loadWithdrawal, settleWithdrawal, type WithdrawAccounts } from './withdrawals.ts';

export type DepositAndWithdrawAccounts = {
  readonly deposit: DepositAccounts;
  readonly withdrawal: WithdrawAccounts;
  readonly remaining: readonly Address[];
};

/** Deposits with the accounts of the first half, withdraws with those of the second. */
export function runDepositAndWithdraw(
  lending: LendingCall,
  { deposit: accounts, withdrawal, remaining }: DepositAndWithdrawAccounts,
  { amount, collateral }: { readonly amount: bigint; readonly collateral: bigint },
): void {
  const { call, rules } = lending;
  const { reserve: depositReserve } = accounts;
  const { withdrawReserve } = withdrawal;
  const { terms, position: opened } = loadDeposit(lending, accounts);
  const second = loadWithdrawal(lending, withdrawal);
  logRequestedDeposit(call, accounts, amount);
  const paid = deposit(opened, terms, { reserve: depositReserve, amount, groupCount: 'later' });
  settleDeposit(call, accounts, paid);
  const { reserves, referrerTokenStates } = readObligationReserves(
    call,
    paid.obligation,
    remaining,
  );
  const position = {
    obligation: opened.obligation,
    reserves: new Map([...reserves, ...second.position.reserves, ...opened.reserves]),
  };
  const after = depositAndWithdraw(position, terms, {
    ...{ depositReserve, amount, withdrawReserve, collateral },
  });
  creditReferralInterest(call, {
    position: { obligation: paid.obligation, reserves: position.reserves },
    terms,
    states: referrerTokenStates,
    fees: after.referrerFees,
  });
  settleWithdrawal(call, withdrawal, { before: position, after });
  const left = withoutClosedDeposit(remaining, after.obligation, withdrawReserve);
  requireObligationReserves(after.obligation, left);
  logPosition(call, after, rules);
}
