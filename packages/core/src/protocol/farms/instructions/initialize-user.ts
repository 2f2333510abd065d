import { instruction, read, sign, signWrite, write } from '../../../base/solana/instruction.ts';

/**
 * In a normal farm the authority, owner and delegatee are the wallet. In a delegated farm the delegate authority
 * signs: the lending program does so for an obligation, which is the delegatee.
 */
export const initializeUser = instruction({
  name: 'initializeUser',
  discriminator: '6f11b9fa3c7a26fe',
  accounts: {
    authority: sign,
    payer: signWrite,
    owner: read,
    delegatee: read,
    userState: write,
    farmState: write,
    systemProgram: read,
    rent: read,
  },
  args: {},
});
