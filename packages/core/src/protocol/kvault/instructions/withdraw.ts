import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, write } from '../../../base/solana/instruction.ts';
import { withdrawFromAvailableAccounts } from './withdraw-from-available.ts';

/**
 * `withdrawFromAvailable`, then its counterpart for a reserve. The program repeats three names: the
 * vault for the second part, and the last two, which belong to the whole instruction. Each repeats
 * the address of the first.
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
 * Pays from tokens that are not invested, then from `reserve`, one per call. `sharesAmount` is in
 * shares, U64_MAX means all of the share account. Remaining as in `deposit`.
 */
export const withdraw = instruction({
  name: 'withdraw',
  discriminator: 'b712469c946da122',
  accounts: withdrawAccounts,
  args: { sharesAmount: u64 },
});
