import { lamports } from '../../../base/encoding/branded-fields.ts';
import { instruction, read, sign, signWrite, write } from '../../../base/solana/instruction.ts';

/** Adds tokens that the vault pays out to its shareholders at `rewardPerSecond`. Anybody can call it. */
export const topupRewards = instruction({
  name: 'topupRewards',
  discriminator: '7f9331893a896738',
  accounts: {
    payer: sign,
    vaultState: write,
    tokenMint: read,
    tokenVault: write,
    payerTokenTa: write,
    tokenProgram: read,
  },
  args: { amount: lamports },
});

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

/** Returns fees owed to the admin to the shareholders. Remaining accounts as in `deposit`. */
export const giveUpPendingFees = instruction({
  name: 'giveUpPendingFees',
  discriminator: 'b1c878866ed99351',
  accounts: {
    vaultAdminAuthority: signWrite,
    vaultState: write,
    klendProgram: read,
  },
  args: { maxAmountToGiveUp: lamports },
});

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
