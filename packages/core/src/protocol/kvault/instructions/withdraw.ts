import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, write } from '../../../base/solana/instruction.ts';
import { withdrawFromAvailableAccounts } from './withdraw-from-available.ts';

/**
 * The accounts of `withdrawFromAvailable`, then those of a withdrawal from a reserve. The program repeats three names
 * with the same address: the vault in the second part, and the last two accounts.
 */
export const withdrawAccounts = {
  ...withdrawFromAvailableAccounts,
  reserveVaultState: write,
  reserve: write,
  ctokenVault: write,
  lendingMarket: read,
  lendingMarketAuthority: read,
  reserveLiquiditySupply: write,
  reserveCollateralMint: write,
  reserveCollateralTokenProgram: read,
  instructionSysvarAccount: read,
  outerEventAuthority: read,
  outerProgram: read,
};

/**
 * Pays from available tokens, then from one `reserve`. U64_MAX withdraws all shares of the account. Remaining
 * accounts as in `deposit`.
 */
export const withdraw = instruction({
  name: 'withdraw',
  discriminator: 'b712469c946da122',
  accounts: withdrawAccounts,
  args: { sharesAmount: u64 },
});
