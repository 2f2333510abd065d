import { instruction } from '../../../base/instruction.ts';
import { u8, u64 } from '../../../base/layout.ts';
import { burnAccounts } from './burn.ts';

/** Refused if `decimals` is not the mint's. */
export const burnChecked = instruction({
  name: 'burnChecked',
  discriminator: '0f',
  accounts: burnAccounts,
  args: { amount: u64, decimals: u8 },
});
