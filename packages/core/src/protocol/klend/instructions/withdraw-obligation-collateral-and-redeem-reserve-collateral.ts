import { u64 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  read,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

export const withdrawAccounts = {
  owner: signWrite,
  obligation: write,
  lendingMarket: read,
  lendingMarketAuthority: read,
  withdrawReserve: write,
  reserveLiquidityMint: read,
  reserveSourceCollateral: write,
  reserveCollateralMint: write,
  reserveLiquiditySupply: write,
  userDestinationLiquidity: write,
  placeholderUserDestinationCollateral: optionalRead,
  collateralTokenProgram: read,
  liquidityTokenProgram: read,
  instructionSysvarAccount: read,
};

/**
 * Version 1: requires adjacent refreshes, see `refreshObligation`.
 * `placeholderUserDestinationCollateral` is always absent.
 */
export const withdrawObligationCollateralAndRedeemReserveCollateral = instruction({
  name: 'withdrawObligationCollateralAndRedeemReserveCollateral',
  discriminator: '4b5d5ddc2296dac4',
  accounts: withdrawAccounts,
  args: { collateralAmount: u64 },
});
