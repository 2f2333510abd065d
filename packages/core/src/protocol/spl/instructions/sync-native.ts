import { instruction, write } from '../../../base/solana/instruction.ts';

/** Updates the token amount of a wrapped SOL account to its lamports. */
export const syncNative = instruction({
  name: 'syncNative',
  discriminator: '11',
  accounts: {
    account: write,
  },
  args: {},
});
