import { pubkey } from '../../../base/encoding/layout.ts';
import { instruction, signWrite } from '../../../base/solana/instruction.ts';

/** Gives the account to a program, which then decides alone what is done with it. */
export const assign = instruction({
  name: 'assign',
  discriminator: '01000000',
  accounts: {
    account: signWrite,
  },
  args: { owner: pubkey },
});
