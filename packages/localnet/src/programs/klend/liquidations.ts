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
  requirePrograms,
} from './lending-constraints.ts';
import { readElevationGroupReserves, writeLendingPosition } from './position-accounts.ts';
import { logDebtCounters } from './position-log.ts';
import { requireRefreshOrder } from './refresh-order.ts';
import { burnCollateral, transferCollateral, transferLiquidity } from './reserve-transfers.ts';
import {
  requireMintProgram,
  requireSupportedExtensions,
  requireTokenAccount,
} from './user-token-accounts.ts';

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

/** Debts of unhealthy loans, repaid by others for a part of the collateral. */
export const liquidationHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(liquidateObligationAndRedeemReserveCollateral, 108_000, (found, call) => {
    const { obligation, withdrawReserve, repayReserve } = found.accounts;
    requireRefreshOrder(call, obligation, [
      { reserve: withdrawReserve, kind: 'Collateral' },
      { reserve: repayReserve, kind: 'Debt' },
    ]);
    runLiquidation({ call, rules }, found);
  }),
  anchorHandler(liquidateObligationAndRedeemReserveCollateralV2, 103_000, (found, call) => {
    const { accounts } = found;
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
    runLiquidation({ call, rules }, found);
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
  const { terms, position } = openLiquidation(lending, accounts, remaining);
  const { liquidityAmount: amount, maxAllowedLtvOverridePercent: override } = args;
  call.log(
    `LiquidateObligationAndRedeemReserveCollateral amount ${amount} max_allowed_ltv_override_percent ${override}`,
  );
  if (override > 0n && liquidator === position.obligation.owner) {
    call.log('Warning! Attempting to set an ltv override outside the staging program');
  }
  const after = liquidate(position, terms, {
    ...{ repayReserve, withdrawReserve, amount },
    minReceived: args.minAcceptableReceivedLiquidityAmount,
  });
  logDebtCounters(call, repayReserve, { before: position, after });
  logLiquidation(call, after);
  writeLendingPosition(call, obligation, { before: position, after });
  moveTokens(call, accounts, after);
}

function logLiquidation(call: InvokeContext, done: LiquidateResult): void {
  const { repaid, collateral, liquidity, protocolFee: fee } = done;
  const withdrawn =
    done.redeemedCollateral === 0n
      ? `${collateral} ctokens`
      : `${liquidity - fee} collateral with fees ${fee}`;
  call.log(`pnl: Liquidator repaid ${repaid} and withdrew ${withdrawn}`);
}

/** What the program checks of the accounts, and the position they hold. */
function openLiquidation(
  lending: LendingCall,
  accounts: LiquidationAccounts,
  remaining: readonly Address[],
): { readonly terms: LendingContext; readonly position: ObligationPosition } {
  const { call } = lending;
  const { lendingMarket: market, repayReserve, withdrawReserve } = accounts;
  const terms = loadMarketContext(lending, market);
  requirePrograms(call, accounts, { collateralTokenProgram: TOKEN_PROGRAM });
  const obligation = readObligation(call, accounts.obligation, { market });
  requireMarketAuthority(call, market, accounts.lendingMarketAuthority);
  const repaid = readReserve(call, repayReserve, { market, slot: 'repayReserve' });
  const seized = readReserve(call, withdrawReserve, { market, slot: 'withdrawReserve' });
  requireAddresses(call, accounts, {
    repayReserveLiquidityMint: repaid.liquidity.mintPubkey,
    repayReserveLiquiditySupply: repaid.liquidity.supplyVault,
    withdrawReserveLiquidityMint: seized.liquidity.mintPubkey,
    withdrawReserveCollateralMint: seized.collateral.mintPubkey,
    withdrawReserveCollateralSupply: seized.collateral.supplyVault,
    withdrawReserveLiquiditySupply: seized.liquidity.supplyVault,
    withdrawReserveLiquidityFeeReceiver: seized.liquidity.feeVault,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  requireUserAccounts(call, accounts);
  for (const { liquidity, collateral } of [repaid, seized]) {
    requireNotReserveVault(accounts.userSourceLiquidity, liquidity.supplyVault);
    requireNotReserveVault(accounts.userDestinationCollateral, collateral.supplyVault);
  }
  requireNotReserveVault(accounts.userDestinationLiquidity, seized.liquidity.supplyVault);
  const reserves = new Map(readElevationGroupReserves(call, obligation, remaining))
    .set(repayReserve, repaid)
    .set(withdrawReserve, seized);
  return { terms, position: { obligation, reserves } };
}

/** Whose they are and of which mint is left to the token program. */
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

/** The debt in, the cTokens out, what the reserve can redeem of them, and the fee on it. */
function moveTokens(
  call: InvokeContext,
  accounts: LiquidationAccounts,
  done: LiquidateResult,
): void {
  const { liquidator, lendingMarketAuthority, userDestinationCollateral } = accounts;
  const wallet = { wallet: liquidator };
  transferLiquidity(call, {
    mint: accounts.repayReserveLiquidityMint,
    tokenProgram: accounts.repayLiquidityTokenProgram,
    source: accounts.userSourceLiquidity,
    destination: accounts.repayReserveLiquiditySupply,
    by: wallet,
    amount: done.repaid,
  });
  transferCollateral(call, {
    source: accounts.withdrawReserveCollateralSupply,
    destination: userDestinationCollateral,
    by: { lendingMarketAuthority },
    amount: done.collateral,
  });
  if (done.redeemedCollateral === 0n) return;
  burnCollateral(call, {
    mint: accounts.withdrawReserveCollateralMint,
    account: userDestinationCollateral,
    by: wallet,
    amount: done.redeemedCollateral,
  });
  const seized = {
    mint: accounts.withdrawReserveLiquidityMint,
    tokenProgram: accounts.withdrawLiquidityTokenProgram,
  };
  const paidTo = accounts.userDestinationLiquidity;
  transferLiquidity(call, {
    ...{ ...seized, source: accounts.withdrawReserveLiquiditySupply, destination: paidTo },
    ...{ by: { lendingMarketAuthority }, amount: done.liquidity },
  });
  const toFees = accounts.withdrawReserveLiquidityFeeReceiver;
  transferLiquidity(call, {
    ...{ ...seized, source: paidTo, destination: toFees, by: wallet, amount: done.protocolFee },
  });
}
