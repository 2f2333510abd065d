import { pubkey, u8 } from '../../../base/encoding/layout.ts';
import { instruction, write } from '../../../base/solana/instruction.ts';

/**
 * Makes a mint of an account that `createAccount` has made with the right size and rent. The list holds the freeze
 * authority, or nothing for no one.
 */
export const initializeMint2 = instruction({
  name: 'initializeMint2',
  discriminator: '14',
  accounts: {
    mint: write,
  },
  args: { decimals: u8, mintAuthority: pubkey },
  list: { count: u8, item: pubkey },
});
