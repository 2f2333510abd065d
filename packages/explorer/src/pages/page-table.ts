import type { ComponentType } from 'preact';
import type { PageName } from '../routing/page-paths.ts';
import { BuildPage } from './build/build-page.tsx';
import { DecodePage } from './decode/decode-page.tsx';
import { LoanPage } from './loan/loan-page.tsx';
import { MarketPage } from './market/market-page.tsx';
import { OverviewPage } from './overview/overview-page.tsx';
import type { PageProps } from './page-props.ts';
import { ProofPage } from './proof/proof-page.tsx';
import { ReservePage } from './reserve/reserve-page.tsx';
import { StatusPage } from './status/status-page.tsx';
import { TransactionPage } from './transaction/transaction-page.tsx';
import { VaultPage } from './vaults/vault-page.tsx';
import { VaultsPage } from './vaults/vaults-page.tsx';
import { WalletPage } from './wallet/wallet-page.tsx';

export const pageComponents: Readonly<Record<PageName, ComponentType<PageProps>>> = {
  overview: OverviewPage,
  market: MarketPage,
  reserve: ReservePage,
  vaults: VaultsPage,
  vault: VaultPage,
  loan: LoanPage,
  wallet: WalletPage,
  build: BuildPage,
  decode: DecodePage,
  transaction: TransactionPage,
  proof: ProofPage,
  status: StatusPage,
};
