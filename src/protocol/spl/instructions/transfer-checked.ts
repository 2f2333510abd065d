import { instruction, read, sign, write } from '../../../base/instruction.ts';
import { u8, u64 } from '../../../base/layout.ts';

/** Refused if `decimals` is not the mint's. */
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
