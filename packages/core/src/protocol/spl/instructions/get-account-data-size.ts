import { instruction, read } from '../../../base/solana/instruction.ts';

/**
 * Answers how large an account of the mint must be. Behind the first byte: numbers of extensions that it is to have
 * beside those that the mint asks for, two bytes each.
 */
export const getAccountDataSize = instruction({
  name: 'getAccountDataSize',
  discriminator: '15',
  accounts: {
    mint: read,
  },
  args: {},
});
