import type { Portfolio } from '@tidegate/client';
import type { ListedMarket } from '../../api/directory.ts';
import type { Resource } from '../../api/resource.ts';

/** What the tabs of a wallet's page show. */
export type WalletResources = {
  readonly address: string;
  readonly portfolio: Resource<Portfolio>;
  /** Listed ones. */
  readonly markets: readonly ListedMarket[];
};
