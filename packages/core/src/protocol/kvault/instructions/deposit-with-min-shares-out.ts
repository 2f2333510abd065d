import { lamports } from '../../../base/encoding/branded-fields.ts';
import { u64 } from '../../../base/encoding/layout.ts';
import { instruction } from '../../../base/solana/instruction.ts';
import { depositAccounts } from './deposit.ts';

/** `deposit` that fails if it issues fewer shares. */
export const depositWithMinSharesOut = instruction({
  name: 'depositWithMinSharesOut',
  discriminator: '4a7f805004ddc15b',
  accounts: depositAccounts,
  args: { maxAmount: lamports, minSharesOut: u64 },
});

/** Alias with the same accounts and effect. */
export const buyWithMinSharesOut = instruction({
  name: 'buyWithMinSharesOut',
  discriminator: '3d8766977c2e90d1',
  accounts: depositAccounts,
  args: { maxAmount: lamports, minSharesOut: u64 },
});
