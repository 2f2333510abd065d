import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, sign, write } from '../../../base/solana/instruction.ts';

/** Amounts of token instructions are in base units. Both token programs have the same encoding. */
export const tokenTransfer = instruction({
  name: 'transfer',
  discriminator: '03',
  accounts: {
    source: write,
    destination: write,
    authority: sign,
  },
  args: { amount: u64 },
});
