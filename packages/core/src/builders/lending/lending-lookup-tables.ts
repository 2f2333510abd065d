import type { Address } from '../../base/encoding/address.ts';
import {
  type AddressLookupTable,
  addressLookupTable,
} from '../../protocol/spl/layout/address-lookup-table.ts';
import { usableLookupAddresses } from '../../protocol/spl/usable-lookup-addresses.ts';
import type { BuildContext, LookupTable } from '../build.ts';
import { existingAccount } from '../wallet/wallet-accounts.ts';
import { readWalletMetadata } from './lending-position.ts';

/** Of the market, then of the wallet. */
export function lendingLookupTables(wallet: Address, scene: BuildContext): LookupTable[] {
  const { state, marketTable } = scene;
  const walletTable = readWalletMetadata(scene, wallet)?.lookupTable;
  const ofMarket = marketTable === undefined ? undefined : state.lookupTable(marketTable)?.fields;
  const ofWallet = walletTable === undefined ? undefined : readTable(walletTable, scene);
  return [
    ...toUsableLookupTables(marketTable, ofMarket, scene),
    ...toUsableLookupTables(walletTable, ofWallet, scene),
  ];
}

function readTable(address: Address, scene: BuildContext): AddressLookupTable | undefined {
  const account = existingAccount(address, scene);
  if (account === undefined || !addressLookupTable.matches(account)) return undefined;
  return addressLookupTable.decode(account);
}

/** What of a table a transaction can take now; no table where there is none. */
export function toUsableLookupTables(
  address: Address | undefined,
  table: AddressLookupTable | undefined,
  { state }: Pick<BuildContext, 'state'>,
): LookupTable[] {
  if (address === undefined || table === undefined) return [];
  return [{ address, addresses: usableLookupAddresses(table, state.at().slot) }];
}
