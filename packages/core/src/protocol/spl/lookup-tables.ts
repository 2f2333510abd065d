import { type Address, addressToBytes } from '../../base/encoding/address.ts';
import { findProgramAddress, type ProgramAddress, u64Seed } from '../../base/solana/pda.ts';
import type { Slot } from '../../base/time.ts';
import { type AddressLookupTable, NOT_DEACTIVATED } from './layout/address-lookup-table.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM } from './programs.ts';

/**
 * The addresses of a table that a transaction can use in a slot. None once the table is being deactivated: it works for
 * about 500 more slots, which can end before the transaction is signed.
 */
export function usableLookupAddresses(table: AddressLookupTable, slot: Slot): readonly Address[] {
  const { deactivationSlot, lastExtendedSlot, lastExtendedSlotStartIndex, addresses } = table;
  if (deactivationSlot !== NOT_DEACTIVATED) return [];
  return slot > lastExtendedSlot ? addresses : addresses.slice(0, lastExtendedSlotStartIndex);
}

/** Includes the bump, which is an argument of `createLookupTable`. */
export function lookupTableAddress(authority: Address, recentSlot: Slot): ProgramAddress {
  const seeds = [addressToBytes(authority), u64Seed(recentSlot)];
  return findProgramAddress(seeds, ADDRESS_LOOKUP_TABLE_PROGRAM);
}
