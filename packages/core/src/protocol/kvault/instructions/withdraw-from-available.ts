import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

export const withdrawFromAvailableAccounts = {
  user: sign,
  vaultState: write,
  globalConfig: read,
  tokenVault: write,
  baseVaultAuthority: read,
  userTokenAta: write,
  tokenMint: write,
  userSharesAta: write,
  sharesMint: write,
  tokenProgram: read,
  sharesTokenProgram: read,
  klendProgram: read,
  eventAuthority: read,
  program: read,
};

/** Pays from available tokens and burns only the paid shares. Remaining accounts as in `deposit`. */
export const withdrawFromAvailable = instruction({
  name: 'withdrawFromAvailable',
  discriminator: '1383709baadc2239',
  accounts: withdrawFromAvailableAccounts,
  args: { sharesAmount: u64 },
});
