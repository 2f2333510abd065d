import type { Address } from '../../base/encoding/address.ts';
import type { Slot } from '../../base/time.ts';
import { type AddressLookupTable, NOT_DEACTIVATED } from './layout/address-lookup-table.ts';

/**
 * The addresses of a table that a transaction can use in a slot. None once the table is being deactivated: it works for
 * about 500 more slots, which can end before the transaction is signed.
 */
export function usableLookupAddresses(table: AddressLookupTable, slot: Slot): readonly Address[] {
  const { deactivationSlot, lastExtendedSlot, lastExtendedSlotStartIndex, addresses } = table;
  if (deactivationSlot !== NOT_DEACTIVATED) return [];
  return slot > lastExtendedSlot ? addresses : addresses.slice(0, lastExtendedSlotStartIndex);
}
