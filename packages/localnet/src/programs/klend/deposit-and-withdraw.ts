import type { Address } from '@tidegate/core/base';
import { deposit, depositAndWithdraw, reserveOf } from '@tidegate/core/protocol/klend/operations';
import {
  type DepositAccounts,
  loadDeposit,
  logRequestedDeposit,
  settleDeposit,
} from './deposits.ts';
import type { LendingCall } from './lending-constraints.ts';
import { requirePermission } from './permission-checks.ts';
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

/** Deposits with the first set of accounts, then withdraws with the second. */
export function runDepositAndWithdraw(
  lending: LendingCall,
  { deposit: accounts, withdrawal, remaining }: DepositAndWithdrawAccounts,
  { amount, collateral }: { readonly amount: bigint; readonly collateral: bigint },
): void {
  const { call, rules } = lending;
  const { reserve: depositReserve } = accounts;
  const { withdrawReserve } = withdrawal;
  const { context, position: initialPosition } = loadDeposit(lending, accounts);
  const positionAccounts = requirePermission(call, {
    market: context.market,
    reserves: [reserveOf(initialPosition.reserves, depositReserve)],
    operation: 'deposit',
    remaining,
  });
  const loadedWithdrawal = loadWithdrawal(lending, withdrawal);
  logRequestedDeposit(call, accounts, amount);
  const deposited = deposit(initialPosition, context, {
    reserve: depositReserve,
    amount,
    groupCount: 'later',
  });
  settleDeposit(call, accounts, deposited);
  const { reserves, referrerTokenStates } = readObligationReserves(
    call,
    deposited.obligation,
    positionAccounts,
  );
  const position = {
    obligation: initialPosition.obligation,
    reserves: new Map([
      ...reserves,
      ...loadedWithdrawal.position.reserves,
      ...initialPosition.reserves,
    ]),
  };
  const after = depositAndWithdraw(position, context, {
    depositReserve,
    amount,
    withdrawReserve,
    collateral,
  });
  creditReferralInterest(call, {
    position: { obligation: deposited.obligation, reserves: position.reserves },
    context,
    states: referrerTokenStates,
    fees: after.referrerFees,
  });
  settleWithdrawal(call, withdrawal, { before: position, after });
  const remainingReserves = withoutClosedDeposit(
    positionAccounts,
    after.obligation,
    withdrawReserve,
  );
  requireObligationReserves(after.obligation, remainingReserves);
  logPosition(call, after, rules);
}
