import { u8, u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/** Only in Token-2022. Fails if `fee` differs from the fee of the mint. The destination account withholds the fee. */
export const transferCheckedWithFee = instruction({
  name: 'transferCheckedWithFee',
  discriminator: '1a01',
  accounts: {
    source: write,
    mint: read,
    destination: write,
    authority: sign,
  },
  args: { amount: u64, decimals: u8, fee: u64 },
});
