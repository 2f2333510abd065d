import { instruction } from '../../../base/solana/instruction.ts';
import { freezeAccounts } from './freeze-account.ts';

export const thawAccount = instruction({
  name: 'thawAccount',
  discriminator: '0b',
  accounts: freezeAccounts,
  args: {},
});
