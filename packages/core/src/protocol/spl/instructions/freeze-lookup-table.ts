import { instruction, sign, write } from '../../../base/solana/instruction.ts';

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
