import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, sign, write } from '../../../base/solana/instruction.ts';

export const mintToAccounts = {
  mint: write,
  account: write,
  mintAuthority: sign,
};

export const mintTo = instruction({
  name: 'mintTo',
  discriminator: '07',
  accounts: mintToAccounts,
  args: { amount: u64 },
});
