import { instruction } from '../../../base/solana/instruction.ts';
import { createAssociatedTokenAccounts } from './create-associated-token-idempotent.ts';

/** Fails if the account exists. */
export const createAssociatedToken = instruction({
  name: 'create',
  discriminator: '00',
  accounts: createAssociatedTokenAccounts,
  args: {},
});

/** The original form without data, which the program still accepts. */
export const createAssociatedTokenWithoutData = instruction({
  name: 'create',
  discriminator: '',
  accounts: createAssociatedTokenAccounts,
  args: {},
});
