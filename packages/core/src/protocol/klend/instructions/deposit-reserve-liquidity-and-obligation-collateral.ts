import { lamports } from '../../../base/encoding/branded-fields.ts';
import {
  instruction,
  optionalRead,
  read,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

export const depositAccounts = {
  owner: signWrite,
  obligation: write,
  lendingMarket: read,
  lendingMarketAuthority: read,
  reserve: write,
  reserveLiquidityMint: read,
  reserveLiquiditySupply: write,
  reserveCollateralMint: write,
  reserveDestinationDepositCollateral: write,
  userSourceLiquidity: write,
  placeholderUserDestinationCollateral: optionalRead,
  collateralTokenProgram: read,
  liquidityTokenProgram: read,
  instructionSysvarAccount: read,
};

/**
 * Version 1: requires adjacent refreshes, see `refreshObligation`.
 * `placeholderUserDestinationCollateral` is always absent.
 */
export const depositReserveLiquidityAndObligationCollateral = instruction({
  name: 'depositReserveLiquidityAndObligationCollateral',
  discriminator: '81c70402de271a2e',
  accounts: depositAccounts,
  args: { liquidityAmount: lamports },
});
