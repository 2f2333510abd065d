import { lamports } from '../../../base/encoding/branded-fields.ts';
import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, optionalWrite, read } from '../../../base/solana/instruction.ts';
import { depositAccounts } from './deposit-reserve-liquidity-and-obligation-collateral.ts';
import { secondWithdrawAccounts } from './second-withdraw-accounts.ts';

/**
 * Swaps one collateral for another. The two reserves must differ. The farms are those of the two collaterals.
 * Remaining accounts: as in `refreshObligation`, after the deposit.
 */
export const depositAndWithdraw = instruction({
  name: 'depositAndWithdraw',
  discriminator: '8d99270f403d5854',
  accounts: {
    ...depositAccounts,
    ...secondWithdrawAccounts,
    depositObligationFarmUserState: optionalWrite,
    depositReserveFarmState: optionalWrite,
    withdrawObligationFarmUserState: optionalWrite,
    withdrawReserveFarmState: optionalWrite,
    farmsProgram: read,
  },
  args: {
    liquidityAmount: lamports,
    /** In cTokens. */
    withdrawCollateralAmount: u64,
  },
});
