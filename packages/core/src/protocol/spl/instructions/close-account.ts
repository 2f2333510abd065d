import { instruction, sign, write } from '../../../base/solana/instruction.ts';

/**
 * Sends the rent to `destination`; of a wrapped SOL account the whole balance. Any other must be
 * empty.
 */
export const closeAccount = instruction({
  name: 'closeAccount',
  discriminator: '09',
  accounts: {
    account: write,
    destination: write,
    owner: sign,
  },
  args: {},
});
