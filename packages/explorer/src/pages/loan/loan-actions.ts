import type { LoanReport } from '@tidegate/client';
import { compareDecimals } from '@tidegate/client';
import type { ListedReserve } from '../../api/directory.ts';
import type { ActionName } from '../../routing/build-fields.ts';

type Position = { readonly tokenMint: string; readonly tokenValue: string };

/** Reserves are those of the largest positions; undefined if there is none or the market has several for the token. */
export type LoanAction = {
  readonly action: ActionName;
  readonly title: string;
  readonly reserve?: string | undefined;
  readonly collateral?: string | undefined;
  readonly debt?: string | undefined;
};

/** What can be done with a loan: nothing is borrowed or withdrawn without deposits, or repaid without debts. */
export function loanActions(
  { collateral, debt, ...info }: LoanReport['loanInfo'],
  reserves: readonly ListedReserve[],
): LoanAction[] {
  const { deposits } = collateral;
  const { borrows } = debt;
  const deposited = largestReserve(deposits, reserves);
  const borrowed = largestReserve(borrows, reserves);
  const hasDeposits = deposits.length > 0;
  const hasBoth = hasDeposits && borrows.length > 0;
  const pair = { collateral: deposited, debt: borrowed };
  const isOverThreshold = hasBoth && info.currentLtv >= info.liquidationLtv;
  return [
    { action: 'deposit', title: 'Deposit', reserve: deposited },
    ...listIf(hasDeposits, { action: 'borrow', title: 'Borrow', reserve: borrowed } as const),
    ...listIf(borrows.length > 0, { action: 'repay', title: 'Repay', reserve: borrowed } as const),
    ...listIf(hasDeposits, { action: 'withdraw', title: 'Withdraw', reserve: deposited } as const),
    ...listIf(hasDeposits, { action: 'multiply', title: 'Multiply', ...pair } as const),
    ...listIf(hasBoth, { action: 'deleverage', title: 'Deleverage', ...pair } as const),
    ...listIf(hasDeposits, { action: 'exit', title: 'Close loan' } as const),
    ...listIf(hasDeposits, { action: 'claim', title: 'Claim rewards' } as const),
    ...listIf(isOverThreshold, { action: 'liquidate', title: 'Liquidate' } as const),
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

/** Addresses of the reserves that a loan uses, each once. */
export function reservesOfLoan(
  loan: LoanReport | undefined,
  reserves: readonly ListedReserve[],
): string[] {
  const { collateral, debt } = loan?.loanInfo ?? { collateral: undefined, debt: undefined };
  const positions = [...(collateral?.deposits ?? []), ...(debt?.borrows ?? [])];
  const found = positions.flatMap(({ tokenMint }) => reserveOfToken(tokenMint, reserves) ?? []);
  return [...new Set(found.map(({ reserve }) => reserve))];
}

/** Undefined if the market has none or several for the token. */
export function reserveOfToken(
  mint: string,
  reserves: readonly ListedReserve[],
): ListedReserve | undefined {
  const [found, ...others] = reserves.filter((each) => each.liquidityTokenMint === mint);
  return others.length === 0 ? found : undefined;
}
