import { instruction, read } from '../../../base/solana/instruction.ts';

/**
 * Returns the size of an account of the mint. The types of additional extensions follow the first byte, two bytes each.
 */
export const getAccountDataSize = instruction({
  name: 'getAccountDataSize',
  discriminator: '15',
  accounts: {
    mint: read,
  },
  args: {},
});
