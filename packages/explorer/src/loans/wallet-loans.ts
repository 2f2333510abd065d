import type { Portfolio } from '@tidegate/client';
import { divide } from '../format/decimal.ts';

export type WalletLoan = Portfolio['lending'][number];

/** Loans of all kinds. */
export const loansOf = ({ lending, multiply, leverage }: Portfolio): WalletLoan[] => [
  ...lending,
  ...multiply,
  ...leverage,
];

/** The LTV at which a loan can be liquidated over its LTV: 1 or less can be liquidated. Undefined without debt. */
export const healthOf = ({
  ltv,
  liquidationLtv,
}: Pick<WalletLoan, 'ltv' | 'liquidationLtv'>): string | undefined =>
  ltv === null || liquidationLtv === null ? undefined : divide(liquidationLtv, ltv);

const kinds: Readonly<Record<string, string>> = {
  Vanilla: 'Loan',
  Lending: 'Deposit',
  LendingFixedRate: 'Deposit, fixed rate',
  Multiply: 'Multiply',
  MultiplyFixedRate: 'Multiply, fixed rate',
  Leverage: 'Leverage',
  LeverageFixedRate: 'Leverage, fixed rate',
};

/** The kind of a loan as people say it. */
export const loanKind = ({ tag }: Pick<WalletLoan, 'tag'>): string => kinds[tag] ?? tag;
