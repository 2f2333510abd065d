import { pubkey, u8 } from '../../../base/encoding/layout.ts';
import { instruction, write } from '../../../base/solana/instruction.ts';

/**
 * Initializes an account with the right size and rent as a mint. The list has the freeze authority or is empty.
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
