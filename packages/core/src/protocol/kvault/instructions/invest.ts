import { lamports } from '../../../base/encoding/branded-fields.ts';
import {
  instruction,
  optionalRead,
  read,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

const investAccounts = {
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
};

/**
 * Moves one reserve to its target allocation. `payerTokenAccount` pays the rounding loss. `reserveWhitelistEntry` is
 * absent if it does not exist. Remaining accounts as in `deposit`.
 */
export const invest = instruction({
  name: 'invest',
  discriminator: '0df5b467feb67904',
  accounts: investAccounts,
  args: {},
});

/** `invest` that moves at most `maxAmount` towards the target. */
export const investWithMaxAmount = instruction({
  name: 'investWithMaxAmount',
  discriminator: '875cb88945487607',
  accounts: investAccounts,
  args: { maxAmount: lamports },
});
