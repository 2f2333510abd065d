import type { Address, UnixSeconds } from '@tidegate/core/base';
import { type Omission, type PriceAge, reservePriceAge } from '@tidegate/core/views/lending';
import {
  omittedLoansAndShares,
  readWalletPositions,
  type WalletPositionsQuery,
  walletLoanPriceAges,
} from '../wallet-positions.ts';
import { type CTokenBalances, ctokenSection } from './ctoken-accounts.ts';

type PortfolioQuery = WalletPositionsQuery & { readonly ctokens: CTokenBalances };

/** All sections of a wallet, with exact amounts. */
export const readPortfolio = (owner: Address, query: PortfolioQuery) => ({
  ...readWalletPositions(owner, query),
  ctokens: ctokenSection(query.ctokens, query.cluster, query.marketOf),
});

type PortfolioData = ReturnType<typeof readPortfolio>;

/** What the sections leave out. */
export const portfolioOmissions = (portfolio: PortfolioData): Omission[] => [
  ...omittedLoansAndShares(portfolio),
  ...portfolio.staking.omitted,
  ...portfolio.ctokens.omitted,
];

export const portfolioReservePriceAges = (
  portfolio: PortfolioData,
  now: UnixSeconds,
): PriceAge[] => [
  ...walletLoanPriceAges(portfolio),
  ...portfolio.ctokens.items.map(({ reserve }) => reservePriceAge(reserve, now)),
];
