import { u8, u64 } from '../../../base/encoding/layout.ts';
import { instruction } from '../../../base/solana/instruction.ts';
import { burnAccounts } from './burn.ts';

/** Fails if `decimals` differs from the mint. */
export const burnChecked = instruction({
  name: 'burnChecked',
  discriminator: '0f',
  accounts: burnAccounts,
  args: { amount: u64, decimals: u8 },
});
