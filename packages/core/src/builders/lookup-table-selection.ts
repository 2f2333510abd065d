import type { Address } from '../base/encoding/address.ts';
import type { Slot } from '../base/time.ts';
import type { AddressLookupTable } from '../protocol/spl/layout/address-lookup-table.ts';
import { usableLookupAddresses } from '../protocol/spl/lookup-tables.ts';
import { findSmallestCover } from './set-cover.ts';

type StoredTable = { readonly address: Address; readonly fields: AddressLookupTable };

type Requested = { readonly addresses: Iterable<Address>; readonly slot: Slot };

/**
 * The fewest tables that together hold every requested address that any of them holds, in the given
 * order. Addresses that are usable only after the slot do not count.
 */
export function selectLookupTables<Table extends StoredTable>(
  tables: readonly Table[],
  { addresses, slot }: Requested,
): Table[] {
  const requested = new Set(addresses);
  const held = tables.map(
    ({ fields }) =>
      new Set(usableLookupAddresses(fields, slot).filter((each) => requested.has(each))),
  );
  const indexes = new Set(findSmallestCover(held));
  return tables.filter((_, index) => indexes.has(index));
}
