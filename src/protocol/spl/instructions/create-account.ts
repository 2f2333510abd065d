import { instruction, signWrite } from '../../../base/instruction.ts';
import { pubkey, u64 } from '../../../base/layout.ts';
import { lamports } from '../../../base/unit-fields.ts';

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
