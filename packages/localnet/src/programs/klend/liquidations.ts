import type { Address } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import type { LendingRules } from '@tidegate/core/protocol/klend';
import {
  liquidateObligationAndRedeemReserveCollateral,
  liquidateObligationAndRedeemReserveCollateralV2,
  type liquidationAccounts,
} from '@tidegate/core/protocol/klend/instructions';
import {
  type LendingContext,
  type LiquidateResult,
  liquidate,
  type ObligationPosition,
  reserveOf,
} from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { refreshObligationFarm } from './farm-stake.ts';
import {
  type InstructionAccounts,
  type LendingCall,
  loadMarketContext,
  readObligation,
  readReserve,
  requireAddresses,
  requireMarketAuthority,
  requireNotReserveVault,
  requirePermission,
  requirePrograms,
} from './lending-constraints.ts';
import {
  logDebtCounters,
  readElevationGroupReserves,
  writeLendingPosition,
} from './position-accounts.ts';
import { requireRefreshOrder } from './refreshes.ts';
import {
  burnCollateral,
  requireMintProgram,
  requireSupportedExtensions,
  requireTokenAccount,
  transferCollateral,
  transferLiquidity,
} from './token-accounts.ts';

type LiquidationAccounts = InstructionAccounts<typeof liquidationAccounts>;

type Liquidation = {
  readonly accounts: LiquidationAccounts;
  readonly args: {
    readonly liquidityAmount: bigint;
    readonly minAcceptableReceivedLiquidityAmount: bigint;
    readonly maxAllowedLtvOverridePercent: bigint;
  };
  readonly remaining: readonly Address[];
};

/** Liquidations: repay debt of unhealthy loans for a share of the collateral. */
export const liquidationHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(liquidateObligationAndRedeemReserveCollateral, 108_000, (decoded, call) => {
    const { obligation, withdrawReserve, repayReserve } = decoded.accounts;
    requireRefreshOrder(call, obligation, [
      { reserve: withdrawReserve, kind: 'Collateral' },
      { reserve: repayReserve, kind: 'Debt' },
    ]);
    runLiquidation({ call, rules }, decoded);
  }),
  anchorHandler(liquidateObligationAndRedeemReserveCollateralV2, 103_000, (decoded, call) => {
    const { accounts } = decoded;
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
    runLiquidation({ call, rules }, decoded);
    refreshObligationFarm(call, accounts, {
      kind: 'Collateral',
      reserve: accounts.withdrawReserve,
      obligationFarmUserState: accounts.collateralObligationFarmUserState,
      reserveFarmState: accounts.collateralReserveFarmState,
    });
    refreshObligationFarm(call, accounts, {
      kind: 'Debt',
      reserve: accounts.repayReserve,
      obligationFarmUserState: accounts.debtObligationFarmUserState,
      reserveFarmState: accounts.debtReserveFarmState,
    });
  }),
];

function runLiquidation(lending: LendingCall, { accounts, args, remaining }: Liquidation): void {
  const { call } = lending;
  const { repayReserve, withdrawReserve, obligation, liquidator } = accounts;
  const { context, position } = loadLiquidation(lending, accounts, remaining);
  const reserves = [repayReserve, withdrawReserve].map((key) => reserveOf(position.reserves, key));
  requirePermission(call, { market: context.market, reserves, operation: 'liquidate', remaining });
  const { liquidityAmount: amount, maxAllowedLtvOverridePercent: override } = args;
  call.log(
    `LiquidateObligationAndRedeemReserveCollateral amount ${amount} max_allowed_ltv_override_percent ${override}`,
  );
  if (override > 0n && liquidator === position.obligation.owner) {
    call.log('Warning! Attempting to set an ltv override outside the staging program');
  }
  const after = liquidate(position, context, {
    repayReserve,
    withdrawReserve,
    amount,
    minReceived: args.minAcceptableReceivedLiquidityAmount,
  });
  logDebtCounters(call, repayReserve, { before: position, after });
  logLiquidation(call, after);
  writeLendingPosition(call, obligation, { before: position, after });
  moveTokens(call, accounts, after);
}

function logLiquidation(call: InvokeContext, result: LiquidateResult): void {
  const { repaid, collateral, liquidity, protocolFee: fee } = result;
  const withdrawn =
    result.redeemedCollateral === 0n
      ? `${collateral} ctokens`
      : `${liquidity - fee} collateral with fees ${fee}`;
  call.log(`pnl: Liquidator repaid ${repaid} and withdrew ${withdrawn}`);
}

/** Checks the accounts and loads the position. */
function loadLiquidation(
  lending: LendingCall,
  accounts: LiquidationAccounts,
  remaining: readonly Address[],
): { readonly context: LendingContext; readonly position: ObligationPosition } {
  const { call } = lending;
  const { lendingMarket: market, repayReserve, withdrawReserve } = accounts;
  const context = loadMarketContext(lending, market);
  requirePrograms(call, accounts, { collateralTokenProgram: TOKEN_PROGRAM });
  const obligation = readObligation(call, accounts.obligation, { market });
  requireMarketAuthority(call, market, accounts.lendingMarketAuthority);
  const debtReserve = readReserve(call, repayReserve, { market, slot: 'repayReserve' });
  const collateralReserve = readReserve(call, withdrawReserve, { market, slot: 'withdrawReserve' });
  requireAddresses(call, accounts, {
    repayReserveLiquidityMint: debtReserve.liquidity.mintPubkey,
    repayReserveLiquiditySupply: debtReserve.liquidity.supplyVault,
    withdrawReserveLiquidityMint: collateralReserve.liquidity.mintPubkey,
    withdrawReserveCollateralMint: collateralReserve.collateral.mintPubkey,
    withdrawReserveCollateralSupply: collateralReserve.collateral.supplyVault,
    withdrawReserveLiquiditySupply: collateralReserve.liquidity.supplyVault,
    withdrawReserveLiquidityFeeReceiver: collateralReserve.liquidity.feeVault,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  requireUserAccounts(call, accounts);
  for (const { liquidity, collateral } of [debtReserve, collateralReserve]) {
    requireNotReserveVault(accounts.userSourceLiquidity, liquidity.supplyVault);
    requireNotReserveVault(accounts.userDestinationCollateral, collateral.supplyVault);
  }
  requireNotReserveVault(
    accounts.userDestinationLiquidity,
    collateralReserve.liquidity.supplyVault,
  );
  const reserves = new Map(readElevationGroupReserves(call, obligation, remaining))
    .set(repayReserve, debtReserve)
    .set(withdrawReserve, collateralReserve);
  return { context, position: { obligation, reserves } };
}

/** The token program checks owner and mint. */
function requireUserAccounts(call: InvokeContext, accounts: LiquidationAccounts): void {
  const { repayReserveLiquidityMint, withdrawReserveLiquidityMint } = accounts;
  const { userSourceLiquidity, userDestinationCollateral, userDestinationLiquidity } = accounts;
  requireMintProgram(call, repayReserveLiquidityMint, accounts.repayLiquidityTokenProgram);
  requireMintProgram(call, withdrawReserveLiquidityMint, accounts.withdrawLiquidityTokenProgram);
  const slots = { userSourceLiquidity, userDestinationCollateral, userDestinationLiquidity };
  for (const [slot, address] of Object.entries(slots)) requireTokenAccount(call, { slot, address });
  requireSupportedExtensions(call, {
    mint: repayReserveLiquidityMint,
    account: userSourceLiquidity,
  });
  requireSupportedExtensions(call, {
    mint: withdrawReserveLiquidityMint,
    account: userDestinationLiquidity,
  });
}

/**
 * Transfers the debt in and the cTokens out, redeems what the reserve can, and transfers the fee.
 */
function moveTokens(
  call: InvokeContext,
  accounts: LiquidationAccounts,
  result: LiquidateResult,
): void {
  const { liquidator, lendingMarketAuthority, userDestinationCollateral } = accounts;
  const wallet = { wallet: liquidator };
  transferLiquidity(call, {
    mint: accounts.repayReserveLiquidityMint,
    tokenProgram: accounts.repayLiquidityTokenProgram,
    source: accounts.userSourceLiquidity,
    destination: accounts.repayReserveLiquiditySupply,
    signer: wallet,
    amount: result.repaid,
  });
  transferCollateral(call, {
    source: accounts.withdrawReserveCollateralSupply,
    destination: userDestinationCollateral,
    signer: { lendingMarketAuthority },
    amount: result.collateral,
  });
  if (result.redeemedCollateral === 0n) return;
  burnCollateral(call, {
    mint: accounts.withdrawReserveCollateralMint,
    account: userDestinationCollateral,
    signer: wallet,
    amount: result.redeemedCollateral,
  });
  const collateralReserve = {
    mint: accounts.withdrawReserveLiquidityMint,
    tokenProgram: accounts.withdrawLiquidityTokenProgram,
  };
  const userAccount = accounts.userDestinationLiquidity;
  transferLiquidity(call, {
    ...collateralReserve,
    source: accounts.withdrawReserveLiquiditySupply,
    destination: userAccount,
    signer: { lendingMarketAuthority },
    amount: result.liquidity,
  });
  const feeVault = accounts.withdrawReserveLiquidityFeeReceiver;
  transferLiquidity(call, {
    ...collateralReserve,
    source: userAccount,
    destination: feeVault,
    signer: wallet,
    amount: result.protocolFee,
  });
}
