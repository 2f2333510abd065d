import { U64_MAX } from '#core/base/numbers/lamports.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import {
  borrowObligationLiquidity,
  borrowObligationLiquidityV2,
  repayObligationLiquidity,
  repayObligationLiquidityV2,
} from '#core/protocol/klend/instructions/borrows.ts';
import {
  depositReserveLiquidity,
  depositReserveLiquidityAndObligationCollateral,
  depositReserveLiquidityAndObligationCollateralV2,
} from '#core/protocol/klend/instructions/deposits.ts';
import { liquidateObligationAndRedeemReserveCollateralV2 } from '#core/protocol/klend/instructions/liquidation.ts';
import { repayAndWithdrawAndRedeem } from '#core/protocol/klend/instructions/swaps.ts';
import {
  redeemReserveCollateral,
  withdrawObligationCollateralAndRedeemReserveCollateral,
  withdrawObligationCollateralAndRedeemReserveCollateralV2,
} from '#core/protocol/klend/instructions/withdrawals.ts';
import { lendingMarketAuthority } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import type { FlowContext } from './flow-context.ts';
import {
  borrowAccounts,
  bothFarmAccounts,
  depositAccounts,
  farmAccounts,
  repayAccounts,
  withdrawAccounts,
} from './flow-lending-accounts.ts';

/**
 * Builds an instruction from the parameters of a flow. `recorded` provides amounts not in its file.
 */
export type FlowInstructionBuilder = (
  context: FlowContext,
  recorded: RecordedInstruction,
) => Instruction;

export type RecordedInstruction = {
  readonly instruction: Instruction;
  /** Arguments as decoded by our codec. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Our instructions before this one. */
  readonly before: readonly Instruction[];
};

export const amountArgument = ({ args }: RecordedInstruction, name: string): bigint =>
  BigInt(String(args[name]));

/** The client converts tokens to cTokens, except for the whole deposit. */
function collateralAmount(context: FlowContext, recorded: RecordedInstruction): bigint {
  const all = context.parameters.amount === U64_MAX.toString();
  return all ? U64_MAX : amountArgument(recorded, 'collateralAmount');
}

/** The client lists the deposits in this flow although its obligation is in no elevation group. */
const alwaysListsDeposits = ['22-deposit-and-borrow'];

const groupDeposits = (context: FlowContext) =>
  context.elevationGroup !== 0 || alwaysListsDeposits.includes(context.flow.name)
    ? context.depositReserves
    : [];

const liquidityAmount = (context: FlowContext, recorded: RecordedInstruction) => ({
  liquidityAmount: context.amountOr(amountArgument(recorded, 'liquidityAmount')),
});

const deposit: FlowInstructionBuilder = (context, recorded) =>
  depositReserveLiquidityAndObligationCollateral.build(KLEND_PROGRAM, {
    accounts: depositAccounts(context),
    args: liquidityAmount(context, recorded),
  });

const depositV2: FlowInstructionBuilder = (context, recorded) =>
  depositReserveLiquidityAndObligationCollateralV2.build(KLEND_PROGRAM, {
    accounts: {
      ...depositAccounts(context),
      ...farmAccounts(context, context.operationReserve('deposit').farmCollateral),
    },
    args: liquidityAmount(context, recorded),
  });

const withdraw: FlowInstructionBuilder = (context, recorded) =>
  withdrawObligationCollateralAndRedeemReserveCollateral.build(KLEND_PROGRAM, {
    accounts: withdrawAccounts(context),
    args: { collateralAmount: collateralAmount(context, recorded) },
  });

const withdrawV2: FlowInstructionBuilder = (context, recorded) =>
  withdrawObligationCollateralAndRedeemReserveCollateralV2.build(KLEND_PROGRAM, {
    accounts: {
      ...withdrawAccounts(context),
      ...farmAccounts(context, context.operationReserve('withdraw').farmCollateral),
    },
    args: { collateralAmount: collateralAmount(context, recorded) },
  });

const borrow: FlowInstructionBuilder = (context, recorded) =>
  borrowObligationLiquidity.build(KLEND_PROGRAM, {
    accounts: borrowAccounts(context),
    args: liquidityAmount(context, recorded),
    remaining: groupDeposits(context),
  });

const borrowV2: FlowInstructionBuilder = (context, recorded) =>
  borrowObligationLiquidityV2.build(KLEND_PROGRAM, {
    accounts: {
      ...borrowAccounts(context),
      ...farmAccounts(context, context.operationReserve('borrow').farmDebt),
    },
    args: liquidityAmount(context, recorded),
    remaining: groupDeposits(context),
  });

const repay: FlowInstructionBuilder = (context, recorded) =>
  repayObligationLiquidity.build(KLEND_PROGRAM, {
    accounts: repayAccounts(context),
    args: liquidityAmount(context, recorded),
    remaining: groupDeposits(context),
  });

const repayV2: FlowInstructionBuilder = (context, recorded) =>
  repayObligationLiquidityV2.build(KLEND_PROGRAM, {
    accounts: {
      ...repayAccounts(context),
      ...farmAccounts(context, context.operationReserve('repay').farmDebt),
      lendingMarketAuthority: lendingMarketAuthority(context.market),
    },
    args: liquidityAmount(context, recorded),
    remaining: groupDeposits(context),
  });

const repayAndWithdraw: FlowInstructionBuilder = (context, recorded) => {
  const withdrawal = withdrawAccounts(context);
  return repayAndWithdrawAndRedeem.build(KLEND_PROGRAM, {
    accounts: {
      ...repayAccounts(context),
      withdrawOwner: withdrawal.owner,
      withdrawObligation: withdrawal.obligation,
      withdrawLendingMarket: withdrawal.lendingMarket,
      withdrawLendingMarketAuthority: withdrawal.lendingMarketAuthority,
      withdrawReserve: withdrawal.withdrawReserve,
      withdrawReserveLiquidityMint: withdrawal.reserveLiquidityMint,
      withdrawReserveSourceCollateral: withdrawal.reserveSourceCollateral,
      withdrawReserveCollateralMint: withdrawal.reserveCollateralMint,
      withdrawReserveLiquiditySupply: withdrawal.reserveLiquiditySupply,
      withdrawUserDestinationLiquidity: withdrawal.userDestinationLiquidity,
      withdrawPlaceholderUserDestinationCollateral: undefined,
      withdrawCollateralTokenProgram: withdrawal.collateralTokenProgram,
      withdrawLiquidityTokenProgram: withdrawal.liquidityTokenProgram,
      withdrawInstructionSysvarAccount: withdrawal.instructionSysvarAccount,
      ...bothFarmAccounts(context),
    },
    args: {
      repayAmount: context.amountOr(amountArgument(recorded, 'repayAmount')),
      withdrawCollateralAmount: amountArgument(recorded, 'withdrawCollateralAmount'),
    },
    remaining: context.positions,
  });
};

const depositToReserve: FlowInstructionBuilder = (context, recorded) =>
  depositReserveLiquidity.build(KLEND_PROGRAM, {
    accounts: {
      ...depositAccounts(context),
      userDestinationCollateral: context.ata(
        context.operationReserve('deposit').collateral.mintPubkey,
      ),
    },
    args: liquidityAmount(context, recorded),
  });

const redeemFromReserve: FlowInstructionBuilder = (context, recorded) => {
  const accounts = withdrawAccounts(context);
  return redeemReserveCollateral.build(KLEND_PROGRAM, {
    accounts: {
      ...accounts,
      reserve: accounts.withdrawReserve,
      userSourceCollateral: context.ata(accounts.reserveCollateralMint),
    },
    args: { collateralAmount: context.amountOr(amountArgument(recorded, 'collateralAmount')) },
  });
};

const liquidate: FlowInstructionBuilder = (context, recorded) => {
  const collateral = context.operationReserve('withdraw');
  const debt = context.operationReserve('repay');
  return liquidateObligationAndRedeemReserveCollateralV2.build(KLEND_PROGRAM, {
    accounts: {
      liquidator: context.user,
      obligation: context.obligation,
      lendingMarket: context.market,
      lendingMarketAuthority: lendingMarketAuthority(context.market),
      repayReserve: debt.address,
      repayReserveLiquidityMint: debt.liquidity.mintPubkey,
      repayReserveLiquiditySupply: debt.liquidity.supplyVault,
      withdrawReserve: collateral.address,
      withdrawReserveLiquidityMint: collateral.liquidity.mintPubkey,
      withdrawReserveCollateralMint: collateral.collateral.mintPubkey,
      withdrawReserveCollateralSupply: collateral.collateral.supplyVault,
      withdrawReserveLiquiditySupply: collateral.liquidity.supplyVault,
      withdrawReserveLiquidityFeeReceiver: collateral.liquidity.feeVault,
      userSourceLiquidity: context.ata(debt.liquidity.mintPubkey),
      userDestinationCollateral: context.ata(collateral.collateral.mintPubkey),
      userDestinationLiquidity: context.ata(collateral.liquidity.mintPubkey),
      collateralTokenProgram: TOKEN_PROGRAM,
      repayLiquidityTokenProgram: debt.liquidity.tokenProgram,
      withdrawLiquidityTokenProgram: collateral.liquidity.tokenProgram,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      ...bothFarmAccounts(context),
    },
    args: {
      liquidityAmount: context.amountOr(amountArgument(recorded, 'liquidityAmount')),
      minAcceptableReceivedLiquidityAmount: context.amountOr(0n),
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
  depositReserveLiquidity: depositToReserve,
  redeemReserveCollateral: redeemFromReserve,
  liquidateObligationAndRedeemReserveCollateralV2: liquidate,
};
