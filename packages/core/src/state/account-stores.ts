import { farmState } from '../protocol/farms/layout/farm-state.ts';
import { globalConfig } from '../protocol/farms/layout/global-config.ts';
import { lendingMarket } from '../protocol/klend/layout/lending-market.ts';
import { reserve } from '../protocol/klend/layout/reserve.ts';
import { withdrawTicket } from '../protocol/klend/layout/withdraw-ticket.ts';
import { vaultState } from '../protocol/kvault/layout/vault-state.ts';
import { oraclePrices } from '../protocol/scope/layout/oracle-prices.ts';
import { addressLookupTable } from '../protocol/spl/layout/address-lookup-table.ts';
import type { AccountKind } from './account-kinds.ts';
import type { AccountStore } from './account-store.ts';
import { PackedAccountStore } from './packed-account-store.ts';
import { packedFarmUsers, packedObligations } from './packed-kinds.ts';
import { RawAccountStore } from './raw-account-store.ts';
import { ShareAccountStore } from './share-account-store.ts';

/** One store per kind, in the order in which accounts are looked for: the most numerous first. */
export const createAccountStores = () =>
  ({
    obligation: new PackedAccountStore(packedObligations),
    farmUser: new PackedAccountStore(packedFarmUsers),
    shares: new ShareAccountStore(),
    reserve: new RawAccountStore(reserve),
    prices: new RawAccountStore(oraclePrices),
    vault: new RawAccountStore(vaultState),
    farm: new RawAccountStore(farmState),
    market: new RawAccountStore(lendingMarket),
    farmsConfig: new RawAccountStore(globalConfig),
    withdrawTicket: new RawAccountStore(withdrawTicket),
    lookupTable: new RawAccountStore({ view: addressLookupTable.decode }),
  }) satisfies Record<AccountKind, AccountStore>;

export type AccountStores = ReturnType<typeof createAccountStores>;
