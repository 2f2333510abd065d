import { lamports } from '../../../base/encoding/branded-fields.ts';
import { instruction, read } from '../../../base/solana/instruction.ts';
import { depositAccounts } from './deposit-reserve-liquidity-and-obligation-collateral.ts';
import { farmsAccounts } from './farms-accounts.ts';

/**
 * Takes at most `liquidityAmount`: what the cTokens that it buys cost, rounded up. U64_MAX is not
 * special. The farm accounts are those of the reserve's collateral farm, absent without one.
 */
export const depositReserveLiquidityAndObligationCollateralV2 = instruction({
  name: 'depositReserveLiquidityAndObligationCollateralV2',
  discriminator: 'd8e0bf1bcc9766af',
  accounts: {
    ...depositAccounts,
    ...farmsAccounts,
    farmsProgram: read,
  },
  args: { liquidityAmount: lamports },
});
