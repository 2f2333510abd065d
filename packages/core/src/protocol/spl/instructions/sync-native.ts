import { instruction, write } from '../../../base/solana/instruction.ts';

/** Counts SOL that was sent to a wrapped SOL account as its tokens. */
export const syncNative = instruction({
  name: 'syncNative',
  discriminator: '11',
  accounts: {
    account: write,
  },
  args: {},
});
