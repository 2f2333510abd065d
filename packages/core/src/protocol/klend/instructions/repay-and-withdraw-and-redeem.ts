import { lamports } from '../../../base/encoding/branded-fields.ts';
import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read } from '../../../base/solana/instruction.ts';
import { bothFarmsAccounts } from './farms-accounts.ts';
import { repayAccounts } from './repay-obligation-liquidity.ts';
import { secondWithdrawAccounts } from './second-withdraw-accounts.ts';

/**
 * Repays, withdraws and refreshes both farms. Remaining accounts: as in `refreshObligation`, before the operation.
 * The program skips fully repaid debts and fully withdrawn deposits.
 */
export const repayAndWithdrawAndRedeem = instruction({
  name: 'repayAndWithdrawAndRedeem',
  discriminator: '0236980394606dda',
  accounts: {
    ...repayAccounts,
    ...secondWithdrawAccounts,
    ...bothFarmsAccounts,
    farmsProgram: read,
  },
  args: {
    repayAmount: lamports,
    /** In cTokens. */
    withdrawCollateralAmount: u64,
  },
});
