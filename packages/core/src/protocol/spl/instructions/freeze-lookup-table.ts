import { instruction, sign, write } from '../../../base/solana/instruction.ts';

/** From then on nobody can change or close the table. */
export const freezeLookupTable = instruction({
  name: 'freezeLookupTable',
  discriminator: '01000000',
  accounts: {
    lookupTable: write,
    authority: sign,
  },
  args: {},
});
