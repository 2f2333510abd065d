import { slot } from '../../../base/encoding/branded-fields.ts';
import { pubkey, u8, u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, signWrite, write } from '../../../base/solana/instruction.ts';

/** The address and bump are those of `lookupTableAddress` for the same recent slot. */
export const createLookupTable = instruction({
  name: 'createLookupTable',
  discriminator: '00000000',
  accounts: {
    lookupTable: write,
    authority: sign,
    payer: signWrite,
    systemProgram: read,
  },
  args: { recentSlot: slot, bump: u8 },
});

/** The list has the new addresses, which are usable from the next slot. */
export const extendLookupTable = instruction({
  name: 'extendLookupTable',
  discriminator: '02000000',
  accounts: {
    lookupTable: write,
    authority: sign,
    payer: signWrite,
    systemProgram: read,
  },
  args: {},
  list: { count: u64, item: pubkey },
});

/** A frozen table can no longer be changed or closed. */
export const freezeLookupTable = instruction({
  name: 'freezeLookupTable',
  discriminator: '01000000',
  accounts: {
    lookupTable: write,
    authority: sign,
  },
  args: {},
});

/** The table can be closed about 513 slots later. */
export const deactivateLookupTable = instruction({
  name: 'deactivateLookupTable',
  discriminator: '03000000',
  accounts: {
    lookupTable: write,
    authority: sign,
  },
  args: {},
});

/** Sends the rent to `recipient`. */
export const closeLookupTable = instruction({
  name: 'closeLookupTable',
  discriminator: '04000000',
  accounts: {
    lookupTable: write,
    authority: sign,
    recipient: write,
  },
  args: {},
});
