import { u8, u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/** Fails if `decimals` differs from the mint. */
export const approveChecked = instruction({
  name: 'approveChecked',
  discriminator: '0d',
  accounts: {
    source: write,
    mint: read,
    delegate: read,
    owner: sign,
  },
  args: { amount: u64, decimals: u8 },
});
