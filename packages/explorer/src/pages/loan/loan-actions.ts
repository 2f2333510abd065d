import type { LoanReport } from '@tidegate/client';
import { compareDecimals } from '@tidegate/client';
import type { ListedReserve } from '../../api/directory.ts';
import type { ActionName } from '../../routing/build-fields.ts';

type Position = { readonly tokenMint: string; readonly tokenValue: string };

export type LoanAction = {
  readonly action: ActionName;
  readonly title: string;
  /** Of the largest position; undefined if there is none or the market has several for its token. */
  readonly reserve: string | undefined;
};

/** What can be done with a loan: nothing is borrowed or withdrawn without deposits, or repaid without debts. */
export function loanActions(
  { collateral, debt }: LoanReport['loanInfo'],
  reserves: readonly ListedReserve[],
): LoanAction[] {
  const { deposits } = collateral;
  const { borrows } = debt;
  const deposited = largestReserve(deposits, reserves);
  const borrowed = largestReserve(borrows, reserves);
  const hasDeposits = deposits.length > 0;
  return [
    { action: 'deposit', title: 'Deposit', reserve: deposited },
    ...listIf(hasDeposits, { action: 'borrow', title: 'Borrow', reserve: borrowed } as const),
    ...listIf(borrows.length > 0, { action: 'repay', title: 'Repay', reserve: borrowed } as const),
    ...listIf(hasDeposits, { action: 'withdraw', title: 'Withdraw', reserve: deposited } as const),
  ];
}

const listIf = (condition: boolean, action: LoanAction): LoanAction[] =>
  condition ? [action] : [];

function largestReserve(
  positions: readonly Position[],
  reserves: readonly ListedReserve[],
): string | undefined {
  const [largest] = [...positions].sort((a, b) => compareDecimals(b.tokenValue, a.tokenValue));
  return largest && reserveOfToken(largest.tokenMint, reserves)?.reserve;
}

/** Undefined if the market has none or several for the token. */
export function reserveOfToken(
  mint: string,
  reserves: readonly ListedReserve[],
): ListedReserve | undefined {
  const [found, ...others] = reserves.filter((each) => each.liquidityTokenMint === mint);
  return others.length === 0 ? found : undefined;
}
