import { instruction, read } from '../../../base/instruction.ts';
import { u64 } from '../../../base/layout.ts';
import { lamports } from '../../../base/unit-fields.ts';
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
