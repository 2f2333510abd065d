import { type Address, addressToBytes } from '../../base/encoding/address.ts';
import { findProgramAddress, type ProgramAddress, u64Seed } from '../../base/solana/pda.ts';
import type { Slot } from '../../base/time.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM } from './programs.ts';

/** Includes the bump, which is an argument of `createLookupTable`. */
export function lookupTableAddress(authority: Address, recentSlot: Slot): ProgramAddress {
  const seeds = [addressToBytes(authority), u64Seed(recentSlot)];
  return findProgramAddress(seeds, ADDRESS_LOOKUP_TABLE_PROGRAM);
}
