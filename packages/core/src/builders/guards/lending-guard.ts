import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { borrowObligationLiquidityV2 } from '../../protocol/klend/instructions/borrow-obligation-liquidity-v2.ts';
import { depositReserveLiquidityAndObligationCollateralV2 } from '../../protocol/klend/instructions/deposit-reserve-liquidity-and-obligation-collateral-v2.ts';
import { initObligation } from '../../protocol/klend/instructions/init-obligation.ts';
import {
  COLLATERAL_FARM,
  DEBT_FARM,
  initObligationFarmsForReserve,
} from '../../protocol/klend/instructions/init-obligation-farms-for-reserve.ts';
import { initReferrerTokenState } from '../../protocol/klend/instructions/init-referrer-token-state.ts';
import { initUserMetadata } from '../../protocol/klend/instructions/init-user-metadata.ts';
import { refreshObligation } from '../../protocol/klend/instructions/refresh-obligation.ts';
import { refreshReserve } from '../../protocol/klend/instructions/refresh-reserve.ts';
import { repayObligationLiquidityV2 } from '../../protocol/klend/instructions/repay-obligation-liquidity-v2.ts';
import { withdrawObligationCollateralAndRedeemReserveCollateralV2 } from '../../protocol/klend/instructions/withdraw-obligation-collateral-and-redeem-reserve-collateral-v2.ts';
import {
  type Allowed,
  absent,
  allow,
  anything,
  instructionsSysvar,
  type Rule,
  rentSysvar,
  systemProgram,
  tokenProgram,
  wallet,
} from './account-rules.ts';
import {
  borrowReferrerState,
  farmsProgram,
  farmUser,
  knownMarket,
  knownReserve,
  marketAuthority,
  marketReserves,
  newObligation,
  newReferrerState,
  ofReserve,
  ownMetadata,
  ownObligation,
  positions,
  referrerInBuild,
} from './lending-account-rules.ts';

const reserve = ofReserve('reserve');
const borrowed = ofReserve('borrowReserve');
const repaid = ofReserve('repayReserve');
const withdrawn = ofReserve('withdrawReserve');

/** Of the kind that `mode` says. */
const farmOfMode: Rule = (address, call) => {
  const { mode } = call.args;
  if (address === undefined) return false;
  if (mode === COLLATERAL_FARM) return reserve.collateralFarm(address, call);
  return mode === DEBT_FARM && reserve.debtFarm(address, call);
};

const setup: readonly Allowed[] = [
  allow(
    initUserMetadata,
    {
      owner: wallet,
      feePayer: wallet,
      userMetadata: ownMetadata,
      referrerUserMetadata: absent,
      rent: rentSysvar,
      systemProgram,
    },
    { args: ({ userLookupTable }) => userLookupTable === ZERO_ADDRESS },
  ),
  allow(initObligation, {
    obligationOwner: wallet,
    feePayer: wallet,
    obligation: newObligation,
    lendingMarket: knownMarket,
    // part of the address of the obligation
    seed1Account: anything,
    seed2Account: anything,
    ownerUserMetadata: ownMetadata,
    rent: rentSysvar,
    systemProgram,
  }),
  allow(initObligationFarmsForReserve, {
    payer: wallet,
    owner: wallet,
    obligation: ownObligation,
    lendingMarketAuthority: marketAuthority,
    reserve: knownReserve,
    reserveFarmState: farmOfMode,
    obligationFarm: farmUser,
    lendingMarket: reserve.market,
    farmsProgram,
    rent: rentSysvar,
    systemProgram,
  }),
  allow(initReferrerTokenState, {
    payer: wallet,
    lendingMarket: reserve.market,
    reserve: knownReserve,
    referrer: referrerInBuild,
    referrerTokenState: newReferrerState,
    rent: rentSysvar,
    systemProgram,
  }),
];

const refreshes: readonly Allowed[] = [
  allow(refreshReserve, {
    reserve: knownReserve,
    lendingMarket: reserve.market,
    pythOracle: reserve.pyth,
    switchboardPriceOracle: reserve.switchboard,
    switchboardTwapOracle: reserve.switchboardTwap,
    scopePrices: reserve.scope,
  }),
  allow(
    refreshObligation,
    { lendingMarket: knownMarket, obligation: ownObligation },
    { remaining: positions },
  ),
];

const operations: readonly Allowed[] = [
  allow(depositReserveLiquidityAndObligationCollateralV2, {
    owner: wallet,
    obligation: ownObligation,
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
    obligationFarmUserState: farmUser,
    reserveFarmState: reserve.collateralFarm,
    farmsProgram,
  }),
  allow(
    borrowObligationLiquidityV2,
    {
      owner: wallet,
      obligation: ownObligation,
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
      obligationFarmUserState: farmUser,
      reserveFarmState: borrowed.debtFarm,
      farmsProgram,
    },
    { remaining: marketReserves },
  ),
  allow(
    repayObligationLiquidityV2,
    {
      owner: wallet,
      obligation: ownObligation,
      lendingMarket: repaid.market,
      repayReserve: knownReserve,
      reserveLiquidityMint: repaid.mint,
      reserveDestinationLiquidity: repaid.supply,
      userSourceLiquidity: repaid.walletTokens,
      tokenProgram: repaid.tokenProgram,
      instructionSysvarAccount: instructionsSysvar,
      obligationFarmUserState: farmUser,
      reserveFarmState: repaid.debtFarm,
      lendingMarketAuthority: marketAuthority,
      farmsProgram,
    },
    { remaining: marketReserves },
  ),
  allow(withdrawObligationCollateralAndRedeemReserveCollateralV2, {
    owner: wallet,
    obligation: ownObligation,
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
    obligationFarmUserState: farmUser,
    reserveFarmState: withdrawn.collateralFarm,
    farmsProgram,
  }),
];

/** What a build may ask of the lending program. */
export const allowedInLending: readonly Allowed[] = [...setup, ...refreshes, ...operations];
