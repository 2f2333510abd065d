import type { Address } from '#core/base/encoding/address.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { lendingMarketAuthority } from '#core/protocol/klend/pda.ts';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import type { FlowContext } from './flow-context.ts';

const common = (context: FlowContext) => ({
  owner: context.user,
  obligation: context.obligation,
  lendingMarket: context.market,
  instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
});

export function depositAccounts(context: FlowContext) {
  const { address, liquidity, collateral } = context.operationReserve('deposit');
  return {
    ...common(context),
    lendingMarketAuthority: lendingMarketAuthority(context.market),
    reserve: address,
    reserveLiquidityMint: liquidity.mintPubkey,
    reserveLiquiditySupply: liquidity.supplyVault,
    reserveCollateralMint: collateral.mintPubkey,
    reserveDestinationDepositCollateral: collateral.supplyVault,
    userSourceLiquidity: context.ata(liquidity.mintPubkey),
    placeholderUserDestinationCollateral: undefined,
    collateralTokenProgram: TOKEN_PROGRAM,
    liquidityTokenProgram: liquidity.tokenProgram,
  };
}

export function withdrawAccounts(context: FlowContext) {
  const { address, liquidity, collateral } = context.operationReserve('withdraw');
  return {
    ...common(context),
    lendingMarketAuthority: lendingMarketAuthority(context.market),
    withdrawReserve: address,
    reserveLiquidityMint: liquidity.mintPubkey,
    reserveSourceCollateral: collateral.supplyVault,
    reserveCollateralMint: collateral.mintPubkey,
    reserveLiquiditySupply: liquidity.supplyVault,
    userDestinationLiquidity: context.ata(liquidity.mintPubkey),
    placeholderUserDestinationCollateral: undefined,
    collateralTokenProgram: TOKEN_PROGRAM,
    liquidityTokenProgram: liquidity.tokenProgram,
  };
}

export function borrowAccounts(context: FlowContext) {
  const { address, liquidity } = context.operationReserve('borrow');
  return {
    ...common(context),
    lendingMarketAuthority: lendingMarketAuthority(context.market),
    borrowReserve: address,
    borrowReserveLiquidityMint: liquidity.mintPubkey,
    reserveSourceLiquidity: liquidity.supplyVault,
    borrowReserveLiquidityFeeReceiver: liquidity.feeVault,
    userDestinationLiquidity: context.ata(liquidity.mintPubkey),
    referrerTokenState: undefined,
    tokenProgram: liquidity.tokenProgram,
  };
}

export function repayAccounts(context: FlowContext) {
  const { address, liquidity } = context.operationReserve('repay');
  return {
    ...common(context),
    repayReserve: address,
    reserveLiquidityMint: liquidity.mintPubkey,
    reserveDestinationLiquidity: liquidity.supplyVault,
    userSourceLiquidity: context.ata(liquidity.mintPubkey),
    tokenProgram: liquidity.tokenProgram,
  };
}

export function farmAccounts(context: FlowContext, farm: Address) {
  const { state, user } = context.farmOf(farm);
  return { obligationFarmUserState: user, reserveFarmState: state, farmsProgram: FARMS_PROGRAM };
}

export const bothFarmAccounts = (context: FlowContext) => {
  const collateral = context.farmOf(context.operationReserve('withdraw').farmCollateral);
  const debt = context.farmOf(context.operationReserve('repay').farmDebt);
  return {
    collateralObligationFarmUserState: collateral.user,
    collateralReserveFarmState: collateral.state,
    debtObligationFarmUserState: debt.user,
    debtReserveFarmState: debt.state,
    farmsProgram: FARMS_PROGRAM,
  };
};
