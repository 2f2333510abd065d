import { instruction } from '../../../base/solana/instruction.ts';
import { createAssociatedTokenAccounts } from './create-associated-token-idempotent.ts';

/** Fails when the account exists. */
export const createAssociatedToken = instruction({
  name: 'create',
  discriminator: '00',
  accounts: createAssociatedTokenAccounts,
  args: {},
});

/** Its first form, without any data, which the program still takes. */
export const createAssociatedTokenWithoutData = instruction({
  name: 'create',
  discriminator: '',
  accounts: createAssociatedTokenAccounts,
  args: {},
});
