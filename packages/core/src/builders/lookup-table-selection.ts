import type { Address } from '../base/encoding/address.ts';
import type { Slot } from '../base/time.ts';
import type { AddressLookupTable } from '../protocol/spl/layout/address-lookup-table.ts';
import { usableLookupAddresses } from '../protocol/spl/usable-lookup-addresses.ts';
import { findSmallestCover } from './set-cover.ts';

type KnownTable = { readonly address: Address; readonly fields: AddressLookupTable };

type Wanted = { readonly addresses: Iterable<Address>; readonly slot: Slot };

/**
 * The fewest tables that hold all of the addresses that any of them holds, in the order in which they are given.
 * Addresses that serve only after the slot do not count.
 */
export function selectLookupTables<Table extends KnownTable>(
  tables: readonly Table[],
  { addresses, slot }: Wanted,
): Table[] {
  const wanted = new Set(addresses);
  const held = tables.map(
    ({ fields }) => new Set(usableLookupAddresses(fields, slot).filter((each) => wanted.has(each))),
  );
  const places = new Set(findSmallestCover(held));
  return tables.filter((_, place) => places.has(place));
}
