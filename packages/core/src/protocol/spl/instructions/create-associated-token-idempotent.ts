import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

export const createAssociatedTokenAccounts = {
  payer: signWrite,
  ata: write,
  owner: read,
  mint: read,
  systemProgram: read,
  tokenProgram: read,
};

/** Does nothing if the account exists. `tokenProgram` must own the mint. */
export const createAssociatedTokenIdempotent = instruction({
  name: 'createIdempotent',
  discriminator: '01',
  accounts: createAssociatedTokenAccounts,
  args: {},
});
