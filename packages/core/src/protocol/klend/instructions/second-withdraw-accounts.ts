import { optionalRead, read, signWrite, write } from '../../../base/solana/instruction.ts';

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
