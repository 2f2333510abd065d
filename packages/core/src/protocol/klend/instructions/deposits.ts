import { lamports } from '../../../base/encoding/branded-fields.ts';
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

/** Mints cTokens to the owner's wallet, without an obligation. Accrues interest itself. */
export const depositReserveLiquidity = instruction({
  name: 'depositReserveLiquidity',
  discriminator: 'a9c91e7e06cd6644',
  accounts: {
    owner: sign,
    reserve: write,
    lendingMarket: read,
    lendingMarketAuthority: read,
    reserveLiquidityMint: read,
    reserveLiquiditySupply: write,
    reserveCollateralMint: write,
    userSourceLiquidity: write,
    userDestinationCollateral: write,
    collateralTokenProgram: read,
    liquidityTokenProgram: read,
    instructionSysvarAccount: read,
  },
  args: { liquidityAmount: lamports },
});

export const depositCollateralAccounts = {
  owner: sign,
  obligation: write,
  lendingMarket: read,
  depositReserve: write,
  reserveDestinationCollateral: write,
  userSourceCollateral: write,
  tokenProgram: read,
  instructionSysvarAccount: read,
};

/** Version 1: requires adjacent refreshes, see `refreshObligation`. `collateralAmount` is in cTokens. */
export const depositObligationCollateral = instruction({
  name: 'depositObligationCollateral',
  discriminator: '6cd1044815167685',
  accounts: depositCollateralAccounts,
  args: { collateralAmount: u64 },
});

/**
 * Moves cTokens from the owner's wallet to the obligation. `collateralAmount` is in cTokens. The market authority
 * precedes the farm accounts.
 */
export const depositObligationCollateralV2 = instruction({
  name: 'depositObligationCollateralV2',
  discriminator: '8991975ea7710491',
  accounts: {
    ...depositCollateralAccounts,
    lendingMarketAuthority: read,
    ...farmsAccounts,
    farmsProgram: read,
  },
  args: { collateralAmount: u64 },
});

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

/**
 * Takes at most `liquidityAmount`: the value of the minted cTokens, rounded up. U64_MAX has no special meaning. The
 * farm accounts are those of the reserve's collateral farm, or absent without one.
 */
export const depositReserveLiquidityAndObligationCollateralV2 = instruction({
  name: 'depositReserveLiquidityAndObligationCollateralV2',
  discriminator: 'd8e0bf1bcc9766af',
  accounts: {
    ...depositAccounts,
    ...farmsAccounts,
    farmsProgram: read,
  },
  args: { liquidityAmount: lamports },
});
