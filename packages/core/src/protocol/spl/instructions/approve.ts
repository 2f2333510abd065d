import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/** Lets `delegate` move at most `amount` out of `source`, until it is revoked or another one is approved. */
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
