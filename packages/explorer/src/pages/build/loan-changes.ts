import type { LoanReport } from '@tidegate/client';
import { sum } from '../../format/decimal.ts';
import {
  formatAmount,
  formatPercent,
  formatUsd,
  type NumberSource,
  type NumberText,
} from '../../format/number.ts';
import { type ChangeRow, type Figure, toChangeRow } from './change-row.ts';

/** Null for a loan that does not exist. */
type Loan = LoanReport | null | undefined;

/** Threshold divided by LTV: below 1 the loan can be liquidated. Undefined without debt. */
export function previewHealth(loan: Loan): number | undefined {
  if (loan == null || loan.loanInfo.currentLtv === 0) return undefined;
  return loan.loanInfo.liquidationLtv / loan.loanInfo.currentLtv;
}

/** The figures of a loan at several times, one column each. */
export function compareLoans(loans: readonly Loan[]): ChangeRow[] {
  const rowsOf = (figures: readonly LoanFigure[]) =>
    figures.map((figure) => toChangeRow(figure, loans));
  const amountsOf = (verb: string, positionsOf: PositionsOf): ChangeRow[] =>
    rowsOf(tokensOf(loans, positionsOf).map((token) => amountFigure(verb, positionsOf, token)));
  const deposits = amountsOf('deposited', depositsOf);
  const borrows = amountsOf('borrowed', borrowsOf);
  return [
    ...rowsOf(ratios),
    { ...toChangeRow(collateral, loans), isChanged: deposits.some(({ isChanged }) => isChanged) },
    ...deposits,
    { ...toChangeRow(debt, loans), isChanged: borrows.some(({ isChanged }) => isChanged) },
    ...borrows,
  ];
}

type LoanFigure = Figure<LoanReport>;

const NO_LOAN = 'there is no loan';
const HEALTH_DIGITS = 3;

/** Health is never rounded up to 1. */
function formatHealth(value: NumberSource): NumberText {
  const digits = 10 ** HEALTH_DIGITS;
  const short = (Math.floor(Number(value) * digits) / digits).toFixed(HEALTH_DIGITS);
  return { short, exact: String(value), plain: String(value) };
}

const ratios: readonly LoanFigure[] = [
  {
    name: 'Health',
    hint: 'Liquidation threshold divided by LTV. Below 1 the loan can be liquidated',
    read: previewHealth,
    format: formatHealth,
    reason: 'there is no debt',
  },
  {
    name: 'LTV',
    hint: 'Debt divided by collateral, with borrow factors',
    read: ({ loanInfo }) => loanInfo.currentLtv,
    format: (value) => formatPercent(value),
    reason: NO_LOAN,
  },
  {
    name: 'Borrow limit',
    hint: 'LTV up to which more can be borrowed',
    read: ({ loanInfo }) => loanInfo.maxLtv,
    format: (value) => formatPercent(value),
    reason: NO_LOAN,
  },
  {
    name: 'Liquidates at',
    hint: 'LTV from which the loan can be liquidated',
    read: ({ loanInfo }) => loanInfo.liquidationLtv,
    format: (value) => formatPercent(value),
    reason: NO_LOAN,
  },
];

const collateral: LoanFigure = {
  name: 'Collateral',
  read: (loan) => sum(depositsOf(loan).map(({ tokenValue }) => tokenValue)),
  format: (value) => formatUsd(value),
  reason: NO_LOAN,
};

const debt: LoanFigure = {
  name: 'Debt',
  read: (loan) => sum(borrowsOf(loan).map(({ tokenValue }) => tokenValue)),
  format: (value) => formatUsd(value),
  reason: NO_LOAN,
};

type Position = {
  readonly tokenMint: string;
  readonly tokenName: string;
  readonly tokenAmount: string;
  readonly tokenValue: string;
};

const depositsOf = (loan: LoanReport): readonly Position[] => loan.loanInfo.collateral.deposits;
const borrowsOf = (loan: LoanReport): readonly Position[] => loan.loanInfo.debt.borrows;

type PositionsOf = (loan: LoanReport) => readonly Position[];
type TokenName = { readonly mint: string; readonly symbol: string };

const amountFigure = (
  verb: string,
  positionsOf: PositionsOf,
  { mint, symbol }: TokenName,
): LoanFigure => ({
  name: `${symbol} ${verb}`,
  read: (loan) => positionsOf(loan).find(({ tokenMint }) => tokenMint === mint)?.tokenAmount ?? '0',
  format: (value) => formatAmount(value, symbol),
  reason: NO_LOAN,
});

/** Tokens of any of the loans, in the order of their first position. */
function tokensOf(loans: readonly Loan[], positionsOf: PositionsOf): TokenName[] {
  const all = loans.flatMap((loan) => (loan == null ? [] : positionsOf(loan)));
  const symbols = new Map(all.map(({ tokenMint, tokenName }) => [tokenMint, tokenName]));
  return [...symbols].map(([mint, symbol]) => ({ mint, symbol }));
}
