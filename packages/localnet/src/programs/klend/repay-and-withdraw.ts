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

/** Repays with the accounts of the first half, withdraws with those of the second. */
export function runRepayAndWithdraw(
  lending: LendingCall,
  { repayment, withdrawal, remaining }: RepayAndWithdrawAccounts,
  { repayAmount, collateral }: { readonly repayAmount: bigint; readonly collateral: bigint },
): void {
  const { call, rules } = lending;
  const { repayReserve } = repayment;
  const { withdrawReserve } = withdrawal;
  const opened = loadWithdrawal(lending, withdrawal);
  const paid = settleRepayment(lending, { accounts: repayment, amount: repayAmount, remaining });
  const { terms, before } = paid;
  const isRepaid = countBorrows(paid.after.obligation) < countBorrows(before.obligation);
  const list = isRepaid ? withoutDebt(call, remaining, { ...paid, repayReserve }) : remaining;
  const { reserves, referrerTokenStates } = readObligationReserves(
    call,
    paid.after.obligation,
    list,
  );
  const position = {
    obligation: before.obligation,
    reserves: new Map([...reserves, ...opened.position.reserves, ...before.reserves]),
  };
  const after = repayAndWithdraw(position, terms, {
    ...{ repayReserve, repayAmount, withdrawReserve, collateral },
  });
  creditReferralInterest(call, {
    position: { obligation: paid.after.obligation, reserves: position.reserves },
    terms,
    states: referrerTokenStates,
    fees: after.referrerFees,
  });
  settleWithdrawal(call, withdrawal, { before: position, after });
  if (after.closes) return;
  requireObligationReserves(
    after.obligation,
    withoutClosedDeposit(list, after.obligation, withdrawReserve),
  );
  logPosition(call, after, rules);
}

const countBorrows = ({ borrows }: Obligation): number => borrows.filter(isBorrow).length;

type RepaidDebt = {
  readonly before: { readonly obligation: Obligation };
  readonly repayReserve: Address;
};

/** The list without the debt, which is the last place of its reserve, and without the referrer's state for it. */
function withoutDebt(
  call: InvokeContext,
  list: readonly Address[],
  { before, repayReserve }: RepaidDebt,
): Address[] {
  const { referrer } = before.obligation;
  const state = referrerTokenStateAddress(referrer, repayReserve, call.program);
  const last = list.lastIndexOf(repayReserve);
  return list.filter((address, i) => i !== last && address !== state);
}

/** The list without a deposit that is gone, which is the first place of its reserve. */
export function withoutClosedDeposit(
  list: readonly Address[],
  { deposits }: Obligation,
  reserve: Address,
): readonly Address[] {
  if (deposits.some((each) => isDeposit(each) && each.depositReserve === reserve)) return list;
  const first = list.indexOf(reserve);
  return list.filter((_, i) => i !== first);
}
