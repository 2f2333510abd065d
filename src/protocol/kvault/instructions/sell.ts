import { instruction } from '../../../base/instruction.ts';
import { u64 } from '../../../base/layout.ts';
import { withdrawAccounts } from './withdraw.ts';

/** `withdraw` under another name: same accounts, same effect. */
export const sell = instruction({
  name: 'sell',
  discriminator: '33e685a4017f83ad',
  accounts: withdrawAccounts,
  args: { sharesAmount: u64 },
});
