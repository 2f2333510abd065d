import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

/**
 * Where the referrer's share of the fees of one reserve is counted. Must exist before a borrow of
 * an obligation that has a referrer.
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
