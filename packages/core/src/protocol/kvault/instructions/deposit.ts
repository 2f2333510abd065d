import { lamports } from '../../../base/encoding/branded-fields.ts';
import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

export const depositAccounts = {
  user: signWrite,
  vaultState: write,
  tokenVault: write,
  tokenMint: read,
  baseVaultAuthority: read,
  sharesMint: write,
  userTokenAta: write,
  userSharesAta: write,
  klendProgram: read,
  tokenProgram: read,
  sharesTokenProgram: read,
  eventAuthority: read,
  program: read,
};

/**
 * `maxAmount` includes the crank fee. The program refreshes the reserves itself, except their prices. Remaining
 * accounts: all reserves of the vault (writable), then their markets, both in the order of the allocations. In the
 * instructions of users the permissioning authority of the vault follows, if it has one (read-only signer).
 */
export const deposit = instruction({
  name: 'deposit',
  discriminator: 'f223c68952e1f2b6',
  accounts: depositAccounts,
  args: { maxAmount: lamports },
});
