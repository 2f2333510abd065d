import { instruction, sign, write } from '../../../base/solana/instruction.ts';

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
