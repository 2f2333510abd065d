import { u8, u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/** Fails if `decimals` differs from the mint. */
export const transferChecked = instruction({
  name: 'transferChecked',
  discriminator: '0c',
  accounts: {
    source: write,
    mint: read,
    destination: write,
    authority: sign,
  },
  args: { amount: u64, decimals: u8 },
});
