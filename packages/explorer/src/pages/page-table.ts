import type { ComponentType } from 'preact';
import type { PageName } from '../routing/page-paths.ts';
import type { PageProps } from './page-props.ts';

/** Each page is a chunk of its own, which is loaded when the page is opened. */
export const pageModules: Readonly<Record<PageName, () => Promise<ComponentType<PageProps>>>> = {
  overview: async () => (await import('./overview/overview-page.tsx')).OverviewPage,
  market: async () => (await import('./market/market-page.tsx')).MarketPage,
  reserve: async () => (await import('./reserve/reserve-page.tsx')).ReservePage,
  vaults: async () => (await import('./vaults/vaults-page.tsx')).VaultsPage,
  vault: async () => (await import('./vaults/vault-page.tsx')).VaultPage,
  loan: async () => (await import('./loan/loan-page.tsx')).LoanPage,
  wallet: async () => (await import('./wallet/wallet-page.tsx')).WalletPage,
  build: async () => (await import('./build/build-page.tsx')).BuildPage,
  decode: async () => (await import('./decode/decode-page.tsx')).DecodePage,
  status: async () => (await import('./status/status-page.tsx')).StatusPage,
};
