import type { Portfolio } from '@tidegate/client';
import { loansOf, type WalletLoan } from '../loans/wallet-loans.ts';

export type VaultPosition = Portfolio['earn'][number];

/** Shares of vaults of all kinds. */
export const positionsOf = ({ earn, privateCredit }: Portfolio): VaultPosition[] => [
  ...earn,
  ...privateCredit,
];

export const loansIn = (portfolio: Portfolio, market: string): WalletLoan[] =>
  loansOf(portfolio).filter((loan) => loan.market === market);

/** A deposit or a debt of a loan. */
export type ReservePosition = {
  readonly loan: WalletLoan;
  readonly side: 'deposit' | 'debt';
  readonly symbol: string;
  /** In whole tokens. */
  readonly amount: string;
  /** In USD; null if the price is not known. */
  readonly value: string | null;
};

/** What the loans of a wallet have in a reserve. */
export function positionsIn(portfolio: Portfolio, reserve: string): ReservePosition[] {
  const listOf = (
    loan: WalletLoan,
    side: ReservePosition['side'],
    tokens: WalletLoan['deposits'] | WalletLoan['borrows'],
  ): ReservePosition[] =>
    tokens
      .filter((token) => token.reserve === reserve)
      .map(({ symbol, amount, value }) => ({ loan, side, symbol, amount, value }));
  return loansOf(portfolio).flatMap((loan) => [
    ...listOf(loan, 'deposit', loan.deposits),
    ...listOf(loan, 'debt', loan.borrows),
  ]);
}

export const sharesIn = (portfolio: Portfolio, vault: string): VaultPosition | undefined =>
  positionsOf(portfolio).find((position) => position.vault === vault);
