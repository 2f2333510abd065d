import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

export const freezeAccounts = {
  account: write,
  mint: read,
  freezeAuthority: sign,
};

/** The account cannot be used until it is thawed. */
export const freezeAccount = instruction({
  name: 'freezeAccount',
  discriminator: '0a',
  accounts: freezeAccounts,
  args: {},
});
