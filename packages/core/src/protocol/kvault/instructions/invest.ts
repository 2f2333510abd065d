import {
  instruction,
  optionalRead,
  read,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

/**
 * Moves one reserve towards its target allocation. What is lost by rounding is taken from
 * `payerTokenAccount`. `reserveWhitelistEntry` is absent when there is none. Remaining as in
 * `deposit`.
 */
export const invest = instruction({
  name: 'invest',
  discriminator: '0df5b467feb67904',
  accounts: {
    payer: signWrite,
    payerTokenAccount: write,
    vaultState: write,
    tokenVault: write,
    tokenMint: write,
    baseVaultAuthority: write,
    ctokenVault: write,
    reserve: write,
    lendingMarket: read,
    lendingMarketAuthority: read,
    reserveLiquiditySupply: write,
    reserveCollateralMint: write,
    reserveWhitelistEntry: optionalRead,
    klendProgram: read,
    reserveCollateralTokenProgram: read,
    tokenProgram: read,
    instructionSysvarAccount: read,
  },
  args: {},
});
