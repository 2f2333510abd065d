import { lamports } from '../../../base/encoding/branded-fields.ts';
import { pubkey, u64 } from '../../../base/encoding/layout.ts';
import { instruction, signWrite } from '../../../base/solana/instruction.ts';

/** `space` is in bytes. `lamports` must make the new account rent-exempt. */
export const createAccount = instruction({
  name: 'createAccount',
  discriminator: '00000000',
  accounts: {
    from: signWrite,
    to: signWrite,
  },
  args: { lamports, space: u64, owner: pubkey },
});
