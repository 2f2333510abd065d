import { pubkey } from '../../../base/encoding/layout.ts';
import { instruction, read, write } from '../../../base/solana/instruction.ts';

/** Initializes an account with the right size and rent as a token account. */
export const initializeAccount3 = instruction({
  name: 'initializeAccount3',
  discriminator: '12',
  accounts: {
    account: write,
    mint: read,
  },
  args: { owner: pubkey },
});
