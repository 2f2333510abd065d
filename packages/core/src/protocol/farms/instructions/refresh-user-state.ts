import { instruction, optionalRead, write } from '../../../base/solana/instruction.ts';

/** Credits the user's rewards up to now. */
export const refreshUserState = instruction({
  name: 'refreshUserState',
  discriminator: '01870c3ef38c4d6c',
  accounts: {
    userState: write,
    farmState: write,
    scopePrices: optionalRead,
  },
  args: {},
});
