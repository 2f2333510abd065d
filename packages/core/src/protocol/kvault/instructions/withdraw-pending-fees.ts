import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

/**
 * Pays the fees owed to the admin from available tokens, then from `reserve`. Remaining accounts as in `deposit`.
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
