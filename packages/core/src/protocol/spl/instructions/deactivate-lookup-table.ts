import { instruction, sign, write } from '../../../base/solana/instruction.ts';

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
