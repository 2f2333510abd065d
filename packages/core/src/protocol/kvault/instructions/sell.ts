import { u64 } from '../../../base/encoding/layout.ts';
import { instruction } from '../../../base/solana/instruction.ts';
import { withdrawAccounts } from './withdraw.ts';

/** Alias of `withdraw` with the same accounts and effect. */
export const sell = instruction({
  name: 'sell',
  discriminator: '33e685a4017f83ad',
  accounts: withdrawAccounts,
  args: { sharesAmount: u64 },
});
