import { u8, u64 } from '../../../base/encoding/layout.ts';
import { instruction } from '../../../base/solana/instruction.ts';
import { burnAccounts } from './burn.ts';

/** Refused if `decimals` is not the mint's. */
export const burnChecked = instruction({
  name: 'burnChecked',
  discriminator: '0f',
  accounts: burnAccounts,
  args: { amount: u64, decimals: u8 },
});
