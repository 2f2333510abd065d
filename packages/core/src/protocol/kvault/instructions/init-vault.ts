import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

/**
 * Creates a vault in a zeroed account of the vault's size, with its token account and its share mint. The admin pays
 * a first deposit of 1,000 lamports, whose shares nobody owns.
 */
export const initVault = instruction({
  name: 'initVault',
  discriminator: '4d4f559621d9346a',
  accounts: {
    adminAuthority: signWrite,
    vaultState: write,
    baseVaultAuthority: read,
    tokenVault: write,
    baseTokenMint: read,
    sharesMint: write,
    adminTokenAccount: write,
    systemProgram: read,
    rent: read,
    tokenProgram: read,
    sharesTokenProgram: read,
  },
  args: {},
});
