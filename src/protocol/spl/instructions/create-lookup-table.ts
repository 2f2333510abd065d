import { instruction, read, sign, signWrite, write } from '../../../base/instruction.ts';
import { u8 } from '../../../base/layout.ts';
import { slot } from '../../../base/unit-fields.ts';

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
