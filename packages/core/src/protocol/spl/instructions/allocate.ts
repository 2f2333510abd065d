import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, signWrite } from '../../../base/solana/instruction.ts';

/** Gives an account without data `space` bytes of zeros. */
export const allocate = instruction({
  name: 'allocate',
  discriminator: '08000000',
  accounts: {
    account: signWrite,
  },
  args: { space: u64 },
});
