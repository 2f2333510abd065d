import { slot } from '../../../base/encoding/branded-fields.ts';
import { u8 } from '../../../base/encoding/layout.ts';
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
