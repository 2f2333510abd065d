import { lamports } from '../../../base/encoding/branded-fields.ts';
import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

/** Returns rewards that are not issued yet, at most `amount`. */
export const withdrawRewards = instruction({
  name: 'withdrawRewards',
  discriminator: '0ad6db8bcd16fb15',
  accounts: {
    vaultAdminAuthority: signWrite,
    vaultState: write,
    tokenMint: read,
    tokenVault: write,
    baseVaultAuthority: read,
    withdrawTokenAccount: write,
    tokenProgram: read,
  },
  args: { amount: lamports },
});
