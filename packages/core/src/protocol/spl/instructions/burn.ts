import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, sign, write } from '../../../base/solana/instruction.ts';

export const burnAccounts = {
  account: write,
  mint: write,
  authority: sign,
};

export const burn = instruction({
  name: 'burn',
  discriminator: '08',
  accounts: burnAccounts,
  args: { amount: u64 },
});
