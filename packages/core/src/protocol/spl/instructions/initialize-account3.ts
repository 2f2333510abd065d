import { pubkey } from '../../../base/encoding/layout.ts';
import { instruction, read, write } from '../../../base/solana/instruction.ts';

/** Makes a token account of one that `createAccount` has made with the right size and rent. */
export const initializeAccount3 = instruction({
  name: 'initializeAccount3',
  discriminator: '12',
  accounts: {
    account: write,
    mint: read,
  },
  args: { owner: pubkey },
});
