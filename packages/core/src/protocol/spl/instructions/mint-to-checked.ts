import { u8, u64 } from '../../../base/encoding/layout.ts';
import { instruction } from '../../../base/solana/instruction.ts';
import { mintToAccounts } from './mint-to.ts';

/** Fails if `decimals` differs from the mint. */
export const mintToChecked = instruction({
  name: 'mintToChecked',
  discriminator: '0e',
  accounts: mintToAccounts,
  args: { amount: u64, decimals: u8 },
});
