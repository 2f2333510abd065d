import { lamports } from '../../../base/encoding/branded-fields.ts';
import { u64 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  optionalWrite,
  read,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';
import { repayAccounts } from './borrows.ts';
import { depositAccounts } from './deposits.ts';
import { bothFarmsAccounts } from './farms-accounts.ts';

/**
 * `withdrawAccounts` as the second operation of an instruction. The program repeats names such as `owner`, so these
 * have a prefix. Owner, obligation and market must equal those of the first operation.
 */
export const secondWithdrawAccounts = {
  withdrawOwner: signWrite,
  withdrawObligation: write,
  withdrawLendingMarket: read,
  withdrawLendingMarketAuthority: read,
  withdrawReserve: write,
  withdrawReserveLiquidityMint: read,
  withdrawReserveSourceCollateral: write,
  withdrawReserveCollateralMint: write,
  withdrawReserveLiquiditySupply: write,
  withdrawUserDestinationLiquidity: write,
  withdrawPlaceholderUserDestinationCollateral: optionalRead,
  withdrawCollateralTokenProgram: read,
  withdrawLiquidityTokenProgram: read,
  withdrawInstructionSysvarAccount: read,
};

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
