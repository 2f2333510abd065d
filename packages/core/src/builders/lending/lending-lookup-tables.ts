import type { Address } from '../../base/encoding/address.ts';
import {
  type AddressLookupTable,
  addressLookupTable,
} from '../../protocol/spl/layout/address-lookup-table.ts';
import { usableAddresses } from '../../protocol/spl/usable-lookup-addresses.ts';
import type { LookupTable, Scene } from '../build.ts';
import { createdAccount } from '../wallet/wallet-accounts.ts';
import { walletFacts } from './lending-position.ts';

/** Of the market, then of the wallet. */
export function lendingTables(wallet: Address, scene: Scene): LookupTable[] {
  const { state, marketTable } = scene;
  const walletTable = walletFacts(scene, wallet)?.lookupTable;
  const ofMarket = marketTable === undefined ? undefined : state.lookupTable(marketTable)?.fields;
  const ofWallet = walletTable === undefined ? undefined : readTable(walletTable, scene);
  return [...usable(marketTable, ofMarket, scene), ...usable(walletTable, ofWallet, scene)];
}

function readTable(address: Address, scene: Scene): AddressLookupTable | undefined {
  const account = createdAccount(address, scene);
  if (account === undefined || !addressLookupTable.matches(account)) return undefined;
  return addressLookupTable.decode(account);
}

/** What of a table a transaction can take now; no table where there is none. */
export function usable(
  address: Address | undefined,
  table: AddressLookupTable | undefined,
  { state }: Pick<Scene, 'state'>,
): LookupTable[] {
  if (address === undefined || table === undefined) return [];
  return [{ address, addresses: usableAddresses(table, state.at().slot) }];
}
