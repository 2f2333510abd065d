import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

export const createAssociatedTokenAccounts = {
  payer: signWrite,
  ata: write,
  owner: read,
  mint: read,
  systemProgram: read,
  tokenProgram: read,
};

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

/** Does nothing if the account exists. `tokenProgram` must own the mint. */
export const createAssociatedTokenIdempotent = instruction({
  name: 'createIdempotent',
  discriminator: '01',
  accounts: createAssociatedTokenAccounts,
  args: {},
});
