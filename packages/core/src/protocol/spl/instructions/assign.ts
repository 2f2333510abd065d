import { pubkey } from '../../../base/encoding/layout.ts';
import { instruction, signWrite } from '../../../base/solana/instruction.ts';

/** Assigns the account to a program, which then controls it. */
export const assign = instruction({
  name: 'assign',
  discriminator: '01000000',
  accounts: {
    account: signWrite,
  },
  args: { owner: pubkey },
});
