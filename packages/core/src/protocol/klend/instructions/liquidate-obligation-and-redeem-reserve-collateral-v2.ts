import { lamports } from '../../../base/encoding/branded-fields.ts';
import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read } from '../../../base/solana/instruction.ts';
import { bothFarmsAccounts } from './farms-accounts.ts';
import { liquidationAccounts } from './liquidate-obligation-and-redeem-reserve-collateral.ts';

/** Like version 1, but without adjacent refreshes. Refreshes both farms itself. */
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
