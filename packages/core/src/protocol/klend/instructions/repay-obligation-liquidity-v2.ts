import { lamports } from '../../../base/encoding/branded-fields.ts';
import { instruction, read } from '../../../base/solana/instruction.ts';
import { farmsAccounts } from './farms-accounts.ts';
import { repayAccounts } from './repay-obligation-liquidity.ts';

/**
 * U64_MAX repays the whole debt, rounded up. `owner` may be anyone who pays; the source must be
 * that signer's. Remaining, in an elevation group: the reserve of every deposit (write), in the
 * order of their places.
 */
export const repayObligationLiquidityV2 = instruction({
  name: 'repayObligationLiquidityV2',
  discriminator: '74aed54cb435d290',
  accounts: {
    ...repayAccounts,
    ...farmsAccounts,
    lendingMarketAuthority: read,
    farmsProgram: read,
  },
  args: { liquidityAmount: lamports },
});
