import type { LoanReport } from '../../api/generated/operations.ts';
import { sum } from '../../format/decimal.ts';
import {
  formatAmount,
  formatPercent,
  formatUsd,
  type NumberSource,
  type NumberText,
} from '../../format/number.ts';

/** One figure of a loan before and after. */
export type LoanRow = {
  readonly name: string;
  readonly hint?: string;
  /** Undefined if the loan does not have it. */
  readonly values: readonly (NumberText | undefined)[];
  /** Why a value is missing. */
  readonly reason: string;
  /** Whether the text differs. For a value in dollars, whether an amount does: prices move with every slot. */
  readonly isChanged: boolean;
};

/** Null for a loan that does not exist. */
type Loan = LoanReport | null | undefined;

/** Threshold divided by LTV: below 1 the loan can be liquidated. Undefined without debt. */
export function previewHealth(loan: Loan): number | undefined {
  if (loan == null || loan.loanInfo.currentLtv === 0) return undefined;
  return loan.loanInfo.liquidationLtv / loan.loanInfo.currentLtv;
}

/** The figures of a loan at several times, one column each. */
export function compareLoans(loans: readonly Loan[]): LoanRow[] {
  const rowsOf = (figures: readonly Figure[]) => figures.map((figure) => toRow(figure, loans));
  const amountsOf = (verb: string, positionsOf: PositionsOf): LoanRow[] =>
    rowsOf(tokensOf(loans, positionsOf).map((token) => amountFigure(verb, positionsOf, token)));
  const deposits = amountsOf('deposited', depositsOf);
  const borrows = amountsOf('borrowed', borrowsOf);
  return [
    ...rowsOf(ratios),
    { ...toRow(collateral, loans), isChanged: deposits.some(({ isChanged }) => isChanged) },
    ...deposits,
    { ...toRow(debt, loans), isChanged: borrows.some(({ isChanged }) => isChanged) },
    ...borrows,
  ];
}

type Figure = Pick<LoanRow, 'name' | 'hint'> & {
  readonly read: (loan: LoanReport) => NumberSource | undefined;
  readonly format: Format;
  /** Why it is missing. */
  readonly reason?: string;
};

function toRow({ read, format, reason, ...texts }: Figure, loans: readonly Loan[]): LoanRow {
  const values = loans.map((loan) => {
    const value = loan == null ? undefined : read(loan);
    return value === undefined ? undefined : format(value);
  });
  const isChanged = new Set(values.map((value) => value?.short)).size > 1;
  return { ...texts, values, reason: reason ?? 'there is no loan', isChanged };
}

type Format = (value: NumberSource) => NumberText;

const HEALTH_DIGITS = 3;

/** Health is never rounded up to 1. */
function formatHealth(value: NumberSource): NumberText {
  const digits = 10 ** HEALTH_DIGITS;
  const short = (Math.floor(Number(value) * digits) / digits).toFixed(HEALTH_DIGITS);
  return { short, exact: String(value), plain: String(value) };
}

const ratios: readonly Figure[] = [
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
  },
  {
    name: 'Borrow limit',
    hint: 'LTV up to which more can be borrowed',
    read: ({ loanInfo }) => loanInfo.maxLtv,
    format: (value) => formatPercent(value),
  },
  {
    name: 'Liquidates at',
    hint: 'LTV from which the loan can be liquidated',
    read: ({ loanInfo }) => loanInfo.liquidationLtv,
    format: (value) => formatPercent(value),
  },
];

const collateral: Figure = {
  name: 'Collateral',
  read: (loan) => sum(depositsOf(loan).map(({ tokenValue }) => tokenValue)),
  format: (value) => formatUsd(value),
};

const debt: Figure = {
  name: 'Debt',
  read: (loan) => sum(borrowsOf(loan).map(({ tokenValue }) => tokenValue)),
  format: (value) => formatUsd(value),
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
): Figure => ({
  name: `${symbol} ${verb}`,
  read: (loan) => positionsOf(loan).find(({ tokenMint }) => tokenMint === mint)?.tokenAmount ?? '0',
  format: (value) => formatAmount(value, symbol),
});

/** Tokens of any of the loans, in the order of their first position. */
function tokensOf(loans: readonly Loan[], positionsOf: PositionsOf): TokenName[] {
  const all = loans.flatMap((loan) => (loan == null ? [] : positionsOf(loan)));
  const symbols = new Map(all.map(({ tokenMint, tokenName }) => [tokenMint, tokenName]));
  return [...symbols].map(([mint, symbol]) => ({ mint, symbol }));
}
