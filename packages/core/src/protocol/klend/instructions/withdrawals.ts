import { u64 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  read,
  sign,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';
import { farmsAccounts } from './farms-accounts.ts';

/**
 * Redeems cTokens of the owner's wallet. `collateralAmount` is in cTokens. Accrues interest itself. Unlike in
 * `depositReserveLiquidity`, the market precedes the reserve.
 */
export const redeemReserveCollateral = instruction({
  name: 'redeemReserveCollateral',
  discriminator: 'ea75b57db98edc1d',
  accounts: {
    owner: sign,
    lendingMarket: read,
    reserve: write,
    lendingMarketAuthority: read,
    reserveLiquidityMint: read,
    reserveCollateralMint: write,
    reserveLiquiditySupply: write,
    userSourceCollateral: write,
    userDestinationLiquidity: write,
    collateralTokenProgram: read,
    liquidityTokenProgram: read,
    instructionSysvarAccount: read,
  },
  args: { collateralAmount: u64 },
});

export const withdrawCollateralAccounts = {
  owner: signWrite,
  obligation: write,
  lendingMarket: read,
  lendingMarketAuthority: read,
  withdrawReserve: write,
  reserveSourceCollateral: write,
  userDestinationCollateral: write,
  tokenProgram: read,
  instructionSysvarAccount: read,
};

/** Version 1: requires adjacent refreshes, see `refreshObligation`. `collateralAmount` is in cTokens. */
export const withdrawObligationCollateral = instruction({
  name: 'withdrawObligationCollateral',
  discriminator: '2574cd67f3c05cc6',
  accounts: withdrawCollateralAccounts,
  args: { collateralAmount: u64 },
});

/**
 * Moves cTokens from the obligation to the owner's wallet. `collateralAmount` is in cTokens. Fails if the reserve has
 * `blockCtokenUsage` set.
 */
export const withdrawObligationCollateralV2 = instruction({
  name: 'withdrawObligationCollateralV2',
  discriminator: 'caf97572e7c02f8a',
  accounts: {
    ...withdrawCollateralAccounts,
    ...farmsAccounts,
    farmsProgram: read,
  },
  args: { collateralAmount: u64 },
});

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

/**
 * `collateralAmount` is in cTokens and capped at the deposit. U64_MAX withdraws as much as the debt allows. Closes an
 * obligation without positions and pays its rent to the owner.
 */
export const withdrawObligationCollateralAndRedeemReserveCollateralV2 = instruction({
  name: 'withdrawObligationCollateralAndRedeemReserveCollateralV2',
  discriminator: 'eb34779895c51407',
  accounts: {
    ...withdrawAccounts,
    ...farmsAccounts,
    farmsProgram: read,
  },
  args: { collateralAmount: u64 },
});
