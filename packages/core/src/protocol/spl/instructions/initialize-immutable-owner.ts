import { instruction, write } from '../../../base/solana/instruction.ts';

/** Before an account is initialized. The Token program takes it and does nothing. */
export const initializeImmutableOwner = instruction({
  name: 'initializeImmutableOwner',
  discriminator: '16',
  accounts: {
    account: write,
  },
  args: {},
});
