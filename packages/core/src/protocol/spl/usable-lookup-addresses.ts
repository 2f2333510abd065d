import type { Address } from '../../base/encoding/address.ts';
import type { Slot } from '../../base/time.ts';
import { type AddressLookupTable, NOT_DEACTIVATED } from './layout/address-lookup-table.ts';

/**
 * What a transaction can take from a table as it is in a slot, at its own places. Nothing once the table is being
 * deactivated: it serves for some 500 slots more, which may be over before somebody has signed.
 */
export function usableLookupAddresses(table: AddressLookupTable, slot: Slot): readonly Address[] {
  const { deactivationSlot, lastExtendedSlot, lastExtendedSlotStartIndex, addresses } = table;
  if (deactivationSlot !== NOT_DEACTIVATED) return [];
  return slot > lastExtendedSlot ? addresses : addresses.slice(0, lastExtendedSlotStartIndex);
}
