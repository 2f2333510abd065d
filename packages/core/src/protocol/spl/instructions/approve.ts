import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/** Allows `delegate` to transfer up to `amount` from `source` until it is revoked or replaced. */
export const approve = instruction({
  name: 'approve',
  discriminator: '04',
  accounts: {
    source: write,
    delegate: read,
    owner: sign,
  },
  args: { amount: u64 },
});
