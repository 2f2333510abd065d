import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

/**
 * Creates the account with the referrer's fees of a reserve. An obligation with a referrer requires it for a borrow.
 */
export const initReferrerTokenState = instruction({
  name: 'initReferrerTokenState',
  discriminator: '742d42943a0dda73',
  accounts: {
    payer: signWrite,
    lendingMarket: read,
    reserve: read,
    referrer: read,
    referrerTokenState: write,
    rent: read,
    systemProgram: read,
  },
  args: {},
});
