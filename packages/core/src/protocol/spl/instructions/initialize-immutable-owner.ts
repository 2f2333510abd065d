import { instruction, write } from '../../../base/solana/instruction.ts';

/** Precedes the initialization of an account. The Token program accepts it as a no-op. */
export const initializeImmutableOwner = instruction({
  name: 'initializeImmutableOwner',
  discriminator: '16',
  accounts: {
    account: write,
  },
  args: {},
});
