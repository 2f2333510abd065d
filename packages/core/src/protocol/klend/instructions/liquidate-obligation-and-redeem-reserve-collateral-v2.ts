import { lamports } from '../../../base/encoding/branded-fields.ts';
import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read } from '../../../base/solana/instruction.ts';
import { bothFarmsAccounts } from './farms-accounts.ts';
import { liquidationAccounts } from './liquidate-obligation-and-redeem-reserve-collateral.ts';

/** As the first generation, but not bound to its place, and refreshes both farms by itself. */
export const liquidateObligationAndRedeemReserveCollateralV2 = instruction({
  name: 'liquidateObligationAndRedeemReserveCollateralV2',
  discriminator: 'a2a1238f1ebbb967',
  accounts: {
    ...liquidationAccounts,
    ...bothFarmsAccounts,
    farmsProgram: read,
  },
  args: {
    liquidityAmount: lamports,
    minAcceptableReceivedLiquidityAmount: lamports,
    maxAllowedLtvOverridePercent: u64,
  },
});
