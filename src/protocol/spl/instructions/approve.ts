import { instruction, read, sign, write } from '../../../base/instruction.ts';
import { u64 } from '../../../base/layout.ts';

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
