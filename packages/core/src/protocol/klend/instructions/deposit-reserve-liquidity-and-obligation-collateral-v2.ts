import { lamports } from '../../../base/encoding/branded-fields.ts';
import { instruction, read } from '../../../base/solana/instruction.ts';
import { depositAccounts } from './deposit-reserve-liquidity-and-obligation-collateral.ts';
import { farmsAccounts } from './farms-accounts.ts';

/**
 * Takes at most `liquidityAmount`: the value of the minted cTokens, rounded up. U64_MAX has no special meaning. The
 * farm accounts are those of the reserve's collateral farm, or absent without one.
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
