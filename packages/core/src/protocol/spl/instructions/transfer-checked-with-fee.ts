import { u8, u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/**
 * Token-2022 alone. Refused if `fee` is not what the mint's rule gives for `amount`; it is withheld
 * at the destination.
 */
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
