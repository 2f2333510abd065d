import { instruction } from '../../../base/instruction.ts';
import { lamports } from '../../../base/unit-fields.ts';
import { depositAccounts } from './deposit.ts';

/** `deposit` under another name: same accounts, same effect. */
export const buy = instruction({
  name: 'buy',
  discriminator: '66063d1201daebea',
  accounts: depositAccounts,
  args: { maxAmount: lamports },
});
