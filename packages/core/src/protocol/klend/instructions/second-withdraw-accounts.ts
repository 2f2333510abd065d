import { optionalRead, read, signWrite, write } from '../../../base/solana/instruction.ts';

/**
 * `withdrawAccounts` as the second half of an instruction. The program repeats names such as
 * `owner` there; the word before them tells the two apart. Owner, obligation and market must be
 * those of the first half.
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
