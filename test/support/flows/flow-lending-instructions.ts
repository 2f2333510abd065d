import type { Address } from '#core/base/encoding/address.ts';
import { U64_MAX } from '#core/base/numbers/lamports.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { borrowObligationLiquidity } from '#core/protocol/klend/instructions/borrow-obligation-liquidity.ts';
import { borrowObligationLiquidityV2 } from '#core/protocol/klend/instructions/borrow-obligation-liquidity-v2.ts';
import { depositReserveLiquidity } from '#core/protocol/klend/instructions/deposit-reserve-liquidity.ts';
import { depositReserveLiquidityAndObligationCollateral } from '#core/protocol/klend/instructions/deposit-reserve-liquidity-and-obligation-collateral.ts';
import { depositReserveLiquidityAndObligationCollateralV2 } from '#core/protocol/klend/instructions/deposit-reserve-liquidity-and-obligation-collateral-v2.ts';
import { liquidateObligationAndRedeemReserveCollateralV2 } from '#core/protocol/klend/instructions/liquidate-obligation-and-redeem-reserve-collateral-v2.ts';
import { redeemReserveCollateral } from '#core/protocol/klend/instructions/redeem-reserve-collateral.ts';
import { repayAndWithdrawAndRedeem } from '#core/protocol/klend/instructions/repay-and-withdraw-and-redeem.ts';
import { repayObligationLiquidity } from '#core/protocol/klend/instructions/repay-obligation-liquidity.ts';
import { repayObligationLiquidityV2 } from '#core/protocol/klend/instructions/repay-obligation-liquidity-v2.ts';
import { withdrawObligationCollateralAndRedeemReserveCollateral } from '#core/protocol/klend/instructions/withdraw-obligation-collateral-and-redeem-reserve-collateral.ts';
import { withdrawObligationCollateralAndRedeemReserveCollateralV2 } from '#core/protocol/klend/instructions/withdraw-obligation-collateral-and-redeem-reserve-collateral-v2.ts';
import { lendingMarketAuthority } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import type { FlowContext } from './flow-context.ts';

/** Makes an instruction from a flow's meaning. `found` gives amounts that no file of the flow states. */
export type FlowInstructionBuilder = (
  scene: FlowContext,
  found: RecordedInstruction,
) => Instruction;

export type RecordedInstruction = {
  readonly instruction: Instruction;
  /** Arguments as our codec reads them. */
  readonly args: Readonly<Record<string, unknown>>;
  /** What was made of the instructions before it. */
  readonly before: readonly Instruction[];
};

export const amountArgument = ({ args }: RecordedInstruction, name: string): bigint =>
  BigInt(String(args[name]));

const common = (scene: FlowContext) => ({
  owner: scene.user,
  obligation: scene.obligation,
  lendingMarket: scene.market,
  instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
});

function depositAccounts(scene: FlowContext) {
  const { address, liquidity, collateral } = scene.operationReserve('deposit');
  return {
    ...common(scene),
    lendingMarketAuthority: lendingMarketAuthority(scene.market),
    reserve: address,
    reserveLiquidityMint: liquidity.mintPubkey,
    reserveLiquiditySupply: liquidity.supplyVault,
    reserveCollateralMint: collateral.mintPubkey,
    reserveDestinationDepositCollateral: collateral.supplyVault,
    userSourceLiquidity: scene.ata(liquidity.mintPubkey),
    placeholderUserDestinationCollateral: undefined,
    collateralTokenProgram: TOKEN_PROGRAM,
    liquidityTokenProgram: liquidity.tokenProgram,
  };
}

function withdrawAccounts(scene: FlowContext) {
  const { address, liquidity, collateral } = scene.operationReserve('withdraw');
  return {
    ...common(scene),
    lendingMarketAuthority: lendingMarketAuthority(scene.market),
    withdrawReserve: address,
    reserveLiquidityMint: liquidity.mintPubkey,
    reserveSourceCollateral: collateral.supplyVault,
    reserveCollateralMint: collateral.mintPubkey,
    reserveLiquiditySupply: liquidity.supplyVault,
    userDestinationLiquidity: scene.ata(liquidity.mintPubkey),
    placeholderUserDestinationCollateral: undefined,
    collateralTokenProgram: TOKEN_PROGRAM,
    liquidityTokenProgram: liquidity.tokenProgram,
  };
}

function borrowAccounts(scene: FlowContext) {
  const { address, liquidity } = scene.operationReserve('borrow');
  return {
    ...common(scene),
    lendingMarketAuthority: lendingMarketAuthority(scene.market),
    borrowReserve: address,
    borrowReserveLiquidityMint: liquidity.mintPubkey,
    reserveSourceLiquidity: liquidity.supplyVault,
    borrowReserveLiquidityFeeReceiver: liquidity.feeVault,
    userDestinationLiquidity: scene.ata(liquidity.mintPubkey),
    referrerTokenState: undefined,
    tokenProgram: liquidity.tokenProgram,
  };
}

function repayAccounts(scene: FlowContext) {
  const { address, liquidity } = scene.operationReserve('repay');
  return {
    ...common(scene),
    repayReserve: address,
    reserveLiquidityMint: liquidity.mintPubkey,
    reserveDestinationLiquidity: liquidity.supplyVault,
    userSourceLiquidity: scene.ata(liquidity.mintPubkey),
    tokenProgram: liquidity.tokenProgram,
  };
}

function farmAccounts(scene: FlowContext, farm: Address) {
  const { state, user } = scene.farmOf(farm);
  return { obligationFarmUserState: user, reserveFarmState: state, farmsProgram: FARMS_PROGRAM };
}

/** cTokens for an amount of tokens are the client's business, save for "all". */
function collateralAmount(scene: FlowContext, found: RecordedInstruction): bigint {
  const all = scene.parameters.amount === U64_MAX.toString();
  return all ? U64_MAX : amountArgument(found, 'collateralAmount');
}

/** The client lists the deposits of this flow although its obligation is in no group. */
const listsDepositsAnyway = ['22-deposit-and-borrow'];

const groupDeposits = (scene: FlowContext) =>
  scene.elevationGroup !== 0 || listsDepositsAnyway.includes(scene.flow.name)
    ? scene.depositReserves
    : [];

const liquidityAmount = (scene: FlowContext, found: RecordedInstruction) => ({
  liquidityAmount: scene.amountOr(amountArgument(found, 'liquidityAmount')),
});

const bothFarms = (scene: FlowContext) => {
  const collateral = scene.farmOf(scene.operationReserve('withdraw').farmCollateral);
  const debt = scene.farmOf(scene.operationReserve('repay').farmDebt);
  return {
    collateralObligationFarmUserState: collateral.user,
    collateralReserveFarmState: collateral.state,
    debtObligationFarmUserState: debt.user,
    debtReserveFarmState: debt.state,
    farmsProgram: FARMS_PROGRAM,
  };
};

const deposit: FlowInstructionBuilder = (scene, found) =>
  depositReserveLiquidityAndObligationCollateral.build(KLEND_PROGRAM, {
    accounts: depositAccounts(scene),
    args: liquidityAmount(scene, found),
  });

const depositV2: FlowInstructionBuilder = (scene, found) =>
  depositReserveLiquidityAndObligationCollateralV2.build(KLEND_PROGRAM, {
    accounts: {
      ...depositAccounts(scene),
      ...farmAccounts(scene, scene.operationReserve('deposit').farmCollateral),
    },
    args: liquidityAmount(scene, found),
  });

const withdraw: FlowInstructionBuilder = (scene, found) =>
  withdrawObligationCollateralAndRedeemReserveCollateral.build(KLEND_PROGRAM, {
    accounts: withdrawAccounts(scene),
    args: { collateralAmount: collateralAmount(scene, found) },
  });

const withdrawV2: FlowInstructionBuilder = (scene, found) =>
  withdrawObligationCollateralAndRedeemReserveCollateralV2.build(KLEND_PROGRAM, {
    accounts: {
      ...withdrawAccounts(scene),
      ...farmAccounts(scene, scene.operationReserve('withdraw').farmCollateral),
    },
    args: { collateralAmount: collateralAmount(scene, found) },
  });

const borrow: FlowInstructionBuilder = (scene, found) =>
  borrowObligationLiquidity.build(KLEND_PROGRAM, {
    accounts: borrowAccounts(scene),
    args: liquidityAmount(scene, found),
    remaining: groupDeposits(scene),
  });

const borrowV2: FlowInstructionBuilder = (scene, found) =>
  borrowObligationLiquidityV2.build(KLEND_PROGRAM, {
    accounts: {
      ...borrowAccounts(scene),
      ...farmAccounts(scene, scene.operationReserve('borrow').farmDebt),
    },
    args: liquidityAmount(scene, found),
    remaining: groupDeposits(scene),
  });

const repay: FlowInstructionBuilder = (scene, found) =>
  repayObligationLiquidity.build(KLEND_PROGRAM, {
    accounts: repayAccounts(scene),
    args: liquidityAmount(scene, found),
    remaining: groupDeposits(scene),
  });

const repayV2: FlowInstructionBuilder = (scene, found) =>
  repayObligationLiquidityV2.build(KLEND_PROGRAM, {
    accounts: {
      ...repayAccounts(scene),
      ...farmAccounts(scene, scene.operationReserve('repay').farmDebt),
      lendingMarketAuthority: lendingMarketAuthority(scene.market),
    },
    args: liquidityAmount(scene, found),
    remaining: groupDeposits(scene),
  });

const repayAndWithdraw: FlowInstructionBuilder = (scene, found) => {
  const second = withdrawAccounts(scene);
  return repayAndWithdrawAndRedeem.build(KLEND_PROGRAM, {
    accounts: {
      ...repayAccounts(scene),
      withdrawOwner: second.owner,
      withdrawObligation: second.obligation,
      withdrawLendingMarket: second.lendingMarket,
      withdrawLendingMarketAuthority: second.lendingMarketAuthority,
      withdrawReserve: second.withdrawReserve,
      withdrawReserveLiquidityMint: second.reserveLiquidityMint,
      withdrawReserveSourceCollateral: second.reserveSourceCollateral,
      withdrawReserveCollateralMint: second.reserveCollateralMint,
      withdrawReserveLiquiditySupply: second.reserveLiquiditySupply,
      withdrawUserDestinationLiquidity: second.userDestinationLiquidity,
      withdrawPlaceholderUserDestinationCollateral: undefined,
      withdrawCollateralTokenProgram: second.collateralTokenProgram,
      withdrawLiquidityTokenProgram: second.liquidityTokenProgram,
      withdrawInstructionSysvarAccount: second.instructionSysvarAccount,
      ...bothFarms(scene),
    },
    args: {
      repayAmount: scene.amountOr(amountArgument(found, 'repayAmount')),
      withdrawCollateralAmount: amountArgument(found, 'withdrawCollateralAmount'),
    },
    remaining: scene.positions,
  });
};

const mintReceipt: FlowInstructionBuilder = (scene, found) =>
  depositReserveLiquidity.build(KLEND_PROGRAM, {
    accounts: {
      ...depositAccounts(scene),
      userDestinationCollateral: scene.ata(scene.operationReserve('deposit').collateral.mintPubkey),
    },
    args: liquidityAmount(scene, found),
  });

const redeemReceipt: FlowInstructionBuilder = (scene, found) => {
  const accounts = withdrawAccounts(scene);
  return redeemReserveCollateral.build(KLEND_PROGRAM, {
    accounts: {
      ...accounts,
      reserve: accounts.withdrawReserve,
      userSourceCollateral: scene.ata(accounts.reserveCollateralMint),
    },
    args: { collateralAmount: scene.amountOr(amountArgument(found, 'collateralAmount')) },
  });
};

const liquidate: FlowInstructionBuilder = (scene, found) => {
  const from = scene.operationReserve('withdraw');
  const to = scene.operationReserve('repay');
  return liquidateObligationAndRedeemReserveCollateralV2.build(KLEND_PROGRAM, {
    accounts: {
      liquidator: scene.user,
      obligation: scene.obligation,
      lendingMarket: scene.market,
      lendingMarketAuthority: lendingMarketAuthority(scene.market),
      repayReserve: to.address,
      repayReserveLiquidityMint: to.liquidity.mintPubkey,
      repayReserveLiquiditySupply: to.liquidity.supplyVault,
      withdrawReserve: from.address,
      withdrawReserveLiquidityMint: from.liquidity.mintPubkey,
      withdrawReserveCollateralMint: from.collateral.mintPubkey,
      withdrawReserveCollateralSupply: from.collateral.supplyVault,
      withdrawReserveLiquiditySupply: from.liquidity.supplyVault,
      withdrawReserveLiquidityFeeReceiver: from.liquidity.feeVault,
      userSourceLiquidity: scene.ata(to.liquidity.mintPubkey),
      userDestinationCollateral: scene.ata(from.collateral.mintPubkey),
      userDestinationLiquidity: scene.ata(from.liquidity.mintPubkey),
      collateralTokenProgram: TOKEN_PROGRAM,
      repayLiquidityTokenProgram: to.liquidity.tokenProgram,
      withdrawLiquidityTokenProgram: from.liquidity.tokenProgram,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      ...bothFarms(scene),
    },
    args: {
      liquidityAmount: scene.amountOr(amountArgument(found, 'liquidityAmount')),
      minAcceptableReceivedLiquidityAmount: scene.amountOr(0n),
      maxAllowedLtvOverridePercent: 0n,
    },
  });
};

export const flowLendingInstructions: Readonly<Record<string, FlowInstructionBuilder>> = {
  depositReserveLiquidityAndObligationCollateral: deposit,
  depositReserveLiquidityAndObligationCollateralV2: depositV2,
  withdrawObligationCollateralAndRedeemReserveCollateral: withdraw,
  withdrawObligationCollateralAndRedeemReserveCollateralV2: withdrawV2,
  borrowObligationLiquidity: borrow,
  borrowObligationLiquidityV2: borrowV2,
  repayObligationLiquidity: repay,
  repayObligationLiquidityV2: repayV2,
  repayAndWithdrawAndRedeem: repayAndWithdraw,
  depositReserveLiquidity: mintReceipt,
  redeemReserveCollateral: redeemReceipt,
  liquidateObligationAndRedeemReserveCollateralV2: liquidate,
};
