import { lamports } from '../../../base/encoding/branded-fields.ts';
import { instruction, read } from '../../../base/solana/instruction.ts';
import { farmsAccounts } from './farms-accounts.ts';
import { repayAccounts } from './repay-obligation-liquidity.ts';

/**
 * U64_MAX repays the full debt, rounded up. `owner` is the payer and can be anyone who owns the source account.
 * Remaining accounts in an elevation group: the reserve of every deposit (writable), in order.
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
