import type { Address } from '../../base/encoding/address.ts';
import {
  type AddressLookupTable,
  addressLookupTable,
} from '../../protocol/spl/layout/address-lookup-table.ts';
import { usableLookupAddresses } from '../../protocol/spl/lookup-tables.ts';
import type { BuildContext, LookupTable } from '../build.ts';
import { existingAccount } from '../wallet/wallet-accounts.ts';
import { readWalletMetadata } from './lending-position.ts';

/** The market's table, then the wallet's. */
export function lendingLookupTables(wallet: Address, context: BuildContext): LookupTable[] {
  const { state, marketLookupTable } = context;
  const walletTable = readWalletMetadata(context, wallet)?.lookupTable;
  const marketTable =
    marketLookupTable === undefined ? undefined : state.lookupTable(marketLookupTable)?.fields;
  const walletTableFields =
    walletTable === undefined ? undefined : readLookupTable(walletTable, context);
  return [
    ...toUsableLookupTables(marketLookupTable, marketTable, context),
    ...toUsableLookupTables(walletTable, walletTableFields, context),
  ];
}

function readLookupTable(address: Address, context: BuildContext): AddressLookupTable | undefined {
  const account = existingAccount(address, context);
  if (account === undefined || !addressLookupTable.matches(account)) return undefined;
  return addressLookupTable.decode(account);
}

/** The entries that are usable now; empty without a table. */
export function toUsableLookupTables(
  address: Address | undefined,
  table: AddressLookupTable | undefined,
  { state }: Pick<BuildContext, 'state'>,
): LookupTable[] {
  if (address === undefined || table === undefined) return [];
  return [{ address, addresses: usableLookupAddresses(table, state.at().slot) }];
}
