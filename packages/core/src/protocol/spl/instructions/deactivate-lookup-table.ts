import { instruction, sign, write } from '../../../base/solana/instruction.ts';

/** The first step to close a table: about 513 slots later it can be closed. */
export const deactivateLookupTable = instruction({
  name: 'deactivateLookupTable',
  discriminator: '03000000',
  accounts: {
    lookupTable: write,
    authority: sign,
  },
  args: {},
});
