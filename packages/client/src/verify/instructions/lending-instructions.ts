import { defineInstruction, type InstructionSpec } from './instruction-spec.ts';

/** The instructions of the lending program that a served builder uses. */
export const lendingInstructions: readonly InstructionSpec[] = [
  defineInstruction(['klend', 'initUserMetadata', '75a9b045c5170fa2'], {
    args: 'userLookupTable:pubkey',
    accounts: 'owner:s feePayer:ws userMetadata:w referrerUserMetadata:? rent systemProgram',
  }),
  defineInstruction(['klend', 'initObligation', 'fb0ae74c1b0b9f60'], {
    args: 'tag:u8 id:u8',
    accounts: `obligationOwner:s feePayer:ws obligation:w lendingMarket seed1Account seed2Account
      ownerUserMetadata rent systemProgram`,
  }),
  defineInstruction(['klend', 'initObligationFarmsForReserve', '883f0fbad398a8a4'], {
    args: 'mode:u8',
    accounts: `payer:ws owner obligation:w lendingMarketAuthority reserve:w reserveFarmState:w
      obligationFarm:w lendingMarket farmsProgram rent systemProgram`,
  }),
  defineInstruction(['klend', 'initReferrerTokenState', '742d42943a0dda73'], {
    accounts: `payer:ws lendingMarket reserve referrer referrerTokenState:w rent systemProgram`,
  }),
  defineInstruction(['klend', 'refreshReserve', '02da8aeb4fc91966'], {
    accounts: `reserve:w lendingMarket pythOracle:? switchboardPriceOracle:? switchboardTwapOracle:?
      scopePrices:?`,
  }),
  defineInstruction(['klend', 'refreshObligation', '218493e497c04859'], {
    accounts: 'lendingMarket obligation:w',
    hasRemaining: true,
  }),
  defineInstruction(
    ['klend', 'depositReserveLiquidityAndObligationCollateralV2', 'd8e0bf1bcc9766af'],
    {
      args: 'liquidityAmount:u64',
      accounts: `owner:ws obligation:w lendingMarket lendingMarketAuthority reserve:w
        reserveLiquidityMint reserveLiquiditySupply:w reserveCollateralMint:w
        reserveDestinationDepositCollateral:w userSourceLiquidity:w
        placeholderUserDestinationCollateral:? collateralTokenProgram liquidityTokenProgram
        instructionSysvarAccount obligationFarmUserState:w? reserveFarmState:w? farmsProgram`,
    },
  ),
  defineInstruction(['klend', 'borrowObligationLiquidityV2', 'a1808ff5abc7c206'], {
    args: 'liquidityAmount:u64',
    accounts: `owner:s obligation:w lendingMarket lendingMarketAuthority borrowReserve:w
      borrowReserveLiquidityMint reserveSourceLiquidity:w borrowReserveLiquidityFeeReceiver:w
      userDestinationLiquidity:w referrerTokenState:w? tokenProgram instructionSysvarAccount
      obligationFarmUserState:w? reserveFarmState:w? farmsProgram`,
    hasRemaining: true,
  }),
  defineInstruction(['klend', 'repayObligationLiquidityV2', '74aed54cb435d290'], {
    args: 'liquidityAmount:u64',
    accounts: `owner:s obligation:w lendingMarket repayReserve:w reserveLiquidityMint
      reserveDestinationLiquidity:w userSourceLiquidity:w tokenProgram instructionSysvarAccount
      obligationFarmUserState:w? reserveFarmState:w? lendingMarketAuthority farmsProgram`,
    hasRemaining: true,
  }),
  defineInstruction(
    ['klend', 'withdrawObligationCollateralAndRedeemReserveCollateralV2', 'eb34779895c51407'],
    {
      args: 'collateralAmount:u64',
      accounts: `owner:ws obligation:w lendingMarket lendingMarketAuthority withdrawReserve:w
        reserveLiquidityMint reserveSourceCollateral:w reserveCollateralMint:w
        reserveLiquiditySupply:w userDestinationLiquidity:w placeholderUserDestinationCollateral:?
        collateralTokenProgram liquidityTokenProgram instructionSysvarAccount
        obligationFarmUserState:w? reserveFarmState:w? farmsProgram`,
    },
  ),
  defineInstruction(['klend', 'flashBorrowReserveLiquidity', '87e734a70734d4c1'], {
    args: 'liquidityAmount:u64',
    accounts: `userTransferAuthority:s lendingMarketAuthority lendingMarket reserve:w
      reserveLiquidityMint reserveSourceLiquidity:w userDestinationLiquidity:w
      reserveLiquidityFeeReceiver:w referrerTokenState:w? referrerAccount:w? sysvarInfo
      tokenProgram`,
  }),
  defineInstruction(['klend', 'flashRepayReserveLiquidity', 'b97500cb60f5b4ba'], {
    args: 'liquidityAmount:u64 borrowInstructionIndex:u8',
    accounts: `userTransferAuthority:s lendingMarketAuthority lendingMarket reserve:w
      reserveLiquidityMint reserveDestinationLiquidity:w userSourceLiquidity:w
      reserveLiquidityFeeReceiver:w referrerTokenState:w? referrerAccount:w? sysvarInfo
      tokenProgram`,
  }),
  defineInstruction(
    ['klend', 'liquidateObligationAndRedeemReserveCollateralV2', 'a2a1238f1ebbb967'],
    {
      args: `liquidityAmount:u64 minAcceptableReceivedLiquidityAmount:u64
        maxAllowedLtvOverridePercent:u64`,
      accounts: `liquidator:s obligation:w lendingMarket lendingMarketAuthority repayReserve:w
        repayReserveLiquidityMint repayReserveLiquiditySupply:w withdrawReserve:w
        withdrawReserveLiquidityMint withdrawReserveCollateralMint:w
        withdrawReserveCollateralSupply:w withdrawReserveLiquiditySupply:w
        withdrawReserveLiquidityFeeReceiver:w userSourceLiquidity:w userDestinationCollateral:w
        userDestinationLiquidity:w collateralTokenProgram repayLiquidityTokenProgram
        withdrawLiquidityTokenProgram instructionSysvarAccount collateralObligationFarmUserState:w?
        collateralReserveFarmState:w? debtObligationFarmUserState:w? debtReserveFarmState:w?
        farmsProgram`,
      hasRemaining: true,
    },
  ),
];
