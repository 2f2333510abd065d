import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

/**
 * Pays the fees that the vault owes to its admin: from tokens that are not invested, then from
 * `reserve`. Remaining as in `deposit`.
 */
export const withdrawPendingFees = instruction({
  name: 'withdrawPendingFees',
  discriminator: '83c2c88caff4d9b7',
  accounts: {
    vaultAdminAuthority: signWrite,
    vaultState: write,
    reserve: write,
    tokenVault: write,
    ctokenVault: write,
    baseVaultAuthority: write,
    tokenAta: write,
    tokenMint: write,
    lendingMarket: read,
    lendingMarketAuthority: read,
    reserveLiquiditySupply: write,
    reserveCollateralMint: write,
    klendProgram: read,
    tokenProgram: read,
    reserveCollateralTokenProgram: read,
    instructionSysvarAccount: read,
  },
  args: {},
});
