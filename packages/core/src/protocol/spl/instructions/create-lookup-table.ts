import { slot } from '../../../base/encoding/branded-fields.ts';
import { u8 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, signWrite, write } from '../../../base/solana/instruction.ts';

/** Address and bump are those of `lookupTableAddress` for the same slot, which must be a recent one. */
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
