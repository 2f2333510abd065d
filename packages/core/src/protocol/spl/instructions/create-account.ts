import { lamports } from '../../../base/encoding/branded-fields.ts';
import { pubkey, u64 } from '../../../base/encoding/layout.ts';
import { instruction, signWrite } from '../../../base/solana/instruction.ts';

/** `space` in bytes; `lamports` must make the new account exempt from rent. */
export const createAccount = instruction({
  name: 'createAccount',
  discriminator: '00000000',
  accounts: {
    from: signWrite,
    to: signWrite,
  },
  args: { lamports, space: u64, owner: pubkey },
});
