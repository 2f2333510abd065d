import { lamports } from '../../../base/encoding/branded-fields.ts';
import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read } from '../../../base/solana/instruction.ts';
import { bothFarmsAccounts } from './farms-accounts.ts';
import { repayAccounts } from './repay-obligation-liquidity.ts';
import { secondWithdrawAccounts } from './second-withdraw-accounts.ts';

/**
 * Repays, then withdraws; both sides' farms are refreshed. Remaining: the list of
 * `refreshObligation` as it is before; the program leaves out by itself what is repaid or withdrawn
 * whole.
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
    /** cTokens. */
    withdrawCollateralAmount: u64,
  },
});
