import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import {
  borrowObligationLiquidityV2,
  repayObligationLiquidityV2,
} from '../../protocol/klend/instructions/borrows.ts';
import { depositReserveLiquidityAndObligationCollateralV2 } from '../../protocol/klend/instructions/deposits.ts';
import {
  COLLATERAL_FARM,
  DEBT_FARM,
  initObligation,
  initObligationFarmsForReserve,
  initReferrerTokenState,
  initUserMetadata,
} from '../../protocol/klend/instructions/obligations.ts';
import { refreshObligation, refreshReserve } from '../../protocol/klend/instructions/refresh.ts';
import { withdrawObligationCollateralAndRedeemReserveCollateralV2 } from '../../protocol/klend/instructions/withdrawals.ts';
import {
  type AccountRule,
  type AllowedInstruction,
  absent,
  allowInstruction,
  anyAddress,
  instructionsSysvar,
  rentSysvar,
  signingWallet,
  systemProgram,
  tokenProgram,
} from './account-rules.ts';
import {
  borrowReferrerState,
  farmsProgram,
  knownMarket,
  knownReserve,
  marketAuthority,
  marketReserves,
  newObligationAddress,
  newReferrerState,
  obligationFarmUser,
  obligationOwner,
  obligationReferrer,
  obligationReserveAccounts,
  refreshedObligation,
  reserveRules,
  walletMetadataAddress,
  walletObligation,
} from './lending-account-rules.ts';

const reserve = reserveRules('reserve');
const borrowed = reserveRules('borrowReserve');
const repaid = reserveRules('repayReserve');
const withdrawn = reserveRules('withdrawReserve');

/** The farm that `mode` selects. */
const farmOfMode: AccountRule = (address, call) => {
  const { mode } = call.args;
  if (address === undefined) return false;
  if (mode === COLLATERAL_FARM) return reserve.collateralFarm(address, call);
  return mode === DEBT_FARM && reserve.debtFarm(address, call);
};

const setup: readonly AllowedInstruction[] = [
  allowInstruction(
    initUserMetadata,
    {
      owner: signingWallet,
      feePayer: signingWallet,
      userMetadata: walletMetadataAddress,
      referrerUserMetadata: absent,
      rent: rentSysvar,
      systemProgram,
    },
    { args: ({ userLookupTable }) => userLookupTable === ZERO_ADDRESS },
  ),
  allowInstruction(initObligation, {
    obligationOwner: signingWallet,
    feePayer: signingWallet,
    obligation: newObligationAddress,
    lendingMarket: knownMarket,
    // The seeds are covered by the obligation's address.
    seed1Account: anyAddress,
    seed2Account: anyAddress,
    ownerUserMetadata: walletMetadataAddress,
    rent: rentSysvar,
    systemProgram,
  }),
  allowInstruction(initObligationFarmsForReserve, {
    payer: signingWallet,
    owner: obligationOwner,
    obligation: refreshedObligation,
    lendingMarketAuthority: marketAuthority,
    reserve: knownReserve,
    reserveFarmState: farmOfMode,
    obligationFarm: obligationFarmUser,
    lendingMarket: reserve.market,
    farmsProgram,
    rent: rentSysvar,
    systemProgram,
  }),
  allowInstruction(initReferrerTokenState, {
    payer: signingWallet,
    lendingMarket: reserve.market,
    reserve: knownReserve,
    referrer: obligationReferrer,
    referrerTokenState: newReferrerState,
    rent: rentSysvar,
    systemProgram,
  }),
];

const refreshes: readonly AllowedInstruction[] = [
  allowInstruction(refreshReserve, {
    reserve: knownReserve,
    lendingMarket: reserve.market,
    pythOracle: reserve.pyth,
    switchboardPriceOracle: reserve.switchboard,
    switchboardTwapOracle: reserve.switchboardTwap,
    scopePrices: reserve.scope,
  }),
  allowInstruction(
    refreshObligation,
    { lendingMarket: knownMarket, obligation: refreshedObligation },
    { remaining: obligationReserveAccounts },
  ),
];

const operations: readonly AllowedInstruction[] = [
  allowInstruction(depositReserveLiquidityAndObligationCollateralV2, {
    owner: signingWallet,
    obligation: walletObligation,
    lendingMarket: reserve.market,
    lendingMarketAuthority: marketAuthority,
    reserve: knownReserve,
    reserveLiquidityMint: reserve.mint,
    reserveLiquiditySupply: reserve.supply,
    reserveCollateralMint: reserve.collateralMint,
    reserveDestinationDepositCollateral: reserve.collateralSupply,
    userSourceLiquidity: reserve.walletTokens,
    placeholderUserDestinationCollateral: absent,
    collateralTokenProgram: tokenProgram,
    liquidityTokenProgram: reserve.tokenProgram,
    instructionSysvarAccount: instructionsSysvar,
    obligationFarmUserState: obligationFarmUser,
    reserveFarmState: reserve.collateralFarm,
    farmsProgram,
  }),
  allowInstruction(
    borrowObligationLiquidityV2,
    {
      owner: signingWallet,
      obligation: walletObligation,
      lendingMarket: borrowed.market,
      lendingMarketAuthority: marketAuthority,
      borrowReserve: knownReserve,
      borrowReserveLiquidityMint: borrowed.mint,
      reserveSourceLiquidity: borrowed.supply,
      borrowReserveLiquidityFeeReceiver: borrowed.fees,
      userDestinationLiquidity: borrowed.walletTokens,
      referrerTokenState: borrowReferrerState,
      tokenProgram: borrowed.tokenProgram,
      instructionSysvarAccount: instructionsSysvar,
      obligationFarmUserState: obligationFarmUser,
      reserveFarmState: borrowed.debtFarm,
      farmsProgram,
    },
    { remaining: marketReserves },
  ),
  allowInstruction(
    repayObligationLiquidityV2,
    {
      owner: signingWallet,
      obligation: walletObligation,
      lendingMarket: repaid.market,
      repayReserve: knownReserve,
      reserveLiquidityMint: repaid.mint,
      reserveDestinationLiquidity: repaid.supply,
      userSourceLiquidity: repaid.walletTokens,
      tokenProgram: repaid.tokenProgram,
      instructionSysvarAccount: instructionsSysvar,
      obligationFarmUserState: obligationFarmUser,
      reserveFarmState: repaid.debtFarm,
      lendingMarketAuthority: marketAuthority,
      farmsProgram,
    },
    { remaining: marketReserves },
  ),
  allowInstruction(withdrawObligationCollateralAndRedeemReserveCollateralV2, {
    owner: signingWallet,
    obligation: walletObligation,
    lendingMarket: withdrawn.market,
    lendingMarketAuthority: marketAuthority,
    withdrawReserve: knownReserve,
    reserveLiquidityMint: withdrawn.mint,
    reserveSourceCollateral: withdrawn.collateralSupply,
    reserveCollateralMint: withdrawn.collateralMint,
    reserveLiquiditySupply: withdrawn.supply,
    userDestinationLiquidity: withdrawn.walletTokens,
    placeholderUserDestinationCollateral: absent,
    collateralTokenProgram: tokenProgram,
    liquidityTokenProgram: withdrawn.tokenProgram,
    instructionSysvarAccount: instructionsSysvar,
    obligationFarmUserState: obligationFarmUser,
    reserveFarmState: withdrawn.collateralFarm,
    farmsProgram,
  }),
];

/** The lending program instructions that a build may contain. */
export const allowedLendingInstructions: readonly AllowedInstruction[] = [
  ...setup,
  ...refreshes,
  ...operations,
];
