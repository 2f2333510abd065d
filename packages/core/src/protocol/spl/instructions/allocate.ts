import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, signWrite } from '../../../base/solana/instruction.ts';

/** Allocates `space` zero bytes for an account without data. */
export const allocate = instruction({
  name: 'allocate',
  discriminator: '08000000',
  accounts: {
    account: signWrite,
  },
  args: { space: u64 },
});
