import { lamports } from '../../../base/encoding/branded-fields.ts';
import { instruction } from '../../../base/solana/instruction.ts';
import { depositAccounts } from './deposit.ts';

/** Alias of `deposit` with the same accounts and effect. */
export const buy = instruction({
  name: 'buy',
  discriminator: '66063d1201daebea',
  accounts: depositAccounts,
  args: { maxAmount: lamports },
});
