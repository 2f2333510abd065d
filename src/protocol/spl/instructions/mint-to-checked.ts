import { instruction } from '../../../base/instruction.ts';
import { u8, u64 } from '../../../base/layout.ts';
import { mintToAccounts } from './mint-to.ts';

/** Refused if `decimals` is not the mint's. */
export const mintToChecked = instruction({
  name: 'mintToChecked',
  discriminator: '0e',
  accounts: mintToAccounts,
  args: { amount: u64, decimals: u8 },
});
