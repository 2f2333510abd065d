import type { Address } from '@tidegate/core/base';
import { referrerTokenStateAddress } from '@tidegate/core/protocol/klend';
import type { Obligation } from '@tidegate/core/protocol/klend/layout';
import { isBorrow, isDeposit, repayAndWithdraw } from '@tidegate/core/protocol/klend/operations';
import type { InvokeContext } from '../../runtime/program.ts';
import type { LendingCall } from './lending-constraints.ts';
import { readObligationReserves, requireObligationReserves } from './position-accounts.ts';
import { logPosition } from './position-log.ts';
import { creditReferralInterest } from './referrers.ts';
import { type RepayAccounts, settleRepayment } from './repayments.ts';
import { loadWithdrawal, settleWithdrawal, type WithdrawAccounts } from './withdrawals.ts';

export type RepayAndWithdrawAccounts = {
  readonly repayment: RepayAccounts;
  readonly withdrawal: WithdrawAccounts;
  readonly remaining: readonly Address[];
};

/** Repays with the first set of accounts, then withdraws with the second. */
export function runRepayAndWithdraw(
  lending: LendingCall,
  { repayment, withdrawal, remaining }: RepayAndWithdrawAccounts,
  { repayAmount, collateral }: { readonly repayAmount: bigint; readonly collateral: bigint },
): void {
  const { call, rules } = lending;
  const { repayReserve } = repayment;
  const { withdrawReserve } = withdrawal;
  const loadedWithdrawal = loadWithdrawal(lending, withdrawal);
  const repaid = settleRepayment(lending, { accounts: repayment, amount: repayAmount, remaining });
  const { context, before } = repaid;
  const isRepaid = countBorrows(repaid.after.obligation) < countBorrows(before.obligation);
  const remainingReserves = isRepaid
    ? withoutDebt(call, remaining, { ...repaid, repayReserve })
    : remaining;
  const { reserves, referrerTokenStates } = readObligationReserves(
    call,
    repaid.after.obligation,
    remainingReserves,
  );
  const position = {
    obligation: before.obligation,
    reserves: new Map([...reserves, ...loadedWithdrawal.position.reserves, ...before.reserves]),
  };
  const after = repayAndWithdraw(position, context, {
    repayReserve,
    repayAmount,
    withdrawReserve,
    collateral,
  });
  creditReferralInterest(call, {
    position: { obligation: repaid.after.obligation, reserves: position.reserves },
    context,
    states: referrerTokenStates,
    fees: after.referrerFees,
  });
  settleWithdrawal(call, withdrawal, { before: position, after });
  if (after.closes) return;
  requireObligationReserves(
    after.obligation,
    withoutClosedDeposit(remainingReserves, after.obligation, withdrawReserve),
  );
  logPosition(call, after, rules);
}

const countBorrows = ({ borrows }: Obligation): number => borrows.filter(isBorrow).length;

type RepaidDebt = {
  readonly before: { readonly obligation: Obligation };
  readonly repayReserve: Address;
};

/** Removes the last entry of the repaid reserve, and its referrer token state. */
function withoutDebt(
  call: InvokeContext,
  remainingReserves: readonly Address[],
  { before, repayReserve }: RepaidDebt,
): Address[] {
  const { referrer } = before.obligation;
  const state = referrerTokenStateAddress(referrer, repayReserve, call.program);
  const last = remainingReserves.lastIndexOf(repayReserve);
  return remainingReserves.filter((address, i) => i !== last && address !== state);
}

/** Removes the first entry of a reserve whose deposit is closed. */
export function withoutClosedDeposit(
  remainingReserves: readonly Address[],
  { deposits }: Obligation,
  reserve: Address,
): readonly Address[] {
  if (deposits.some((deposit) => isDeposit(deposit) && deposit.depositReserve === reserve))
    return remainingReserves;
  const first = remainingReserves.indexOf(reserve);
  return remainingReserves.filter((_, i) => i !== first);
}
