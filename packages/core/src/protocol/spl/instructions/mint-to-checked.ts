import { u8, u64 } from '../../../base/encoding/layout.ts';
import { instruction } from '../../../base/solana/instruction.ts';
import { mintToAccounts } from './mint-to.ts';

/** Refused if `decimals` is not the mint's. */
export const mintToChecked = instruction({
  name: 'mintToChecked',
  discriminator: '0e',
  accounts: mintToAccounts,
  args: { amount: u64, decimals: u8 },
});
