import type { Address } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import type { LendingRules } from '@tidegate/core/protocol/klend';
import {
  type depositAccounts,
  depositReserveLiquidityAndObligationCollateral,
  depositReserveLiquidityAndObligationCollateralV2,
  type withdrawAccounts,
  withdrawObligationCollateralAndRedeemReserveCollateral,
  withdrawObligationCollateralAndRedeemReserveCollateralV2,
} from '@tidegate/core/protocol/klend/instructions';
import type { DepositAmounts } from '@tidegate/core/protocol/klend/math';
import {
  deposit,
  type LendingContext,
  type ObligationPosition,
  requireOpenReserve,
  reserveOf,
  type WithdrawResult,
  withdraw,
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
import { closeObligation, writeLendingPosition } from './position-accounts.ts';
import { requireRefreshOrder } from './refreshes.ts';
import {
  burnCollateral,
  mintCollateral,
  requireMintProgram,
  requireSupportedExtensions,
  requireTokenAccount,
  transferLiquidity,
} from './token-accounts.ts';

export type DepositAccounts = InstructionAccounts<typeof depositAccounts>;

/** Deposits of a wallet into an obligation. */
export const depositHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(
    depositReserveLiquidityAndObligationCollateral,
    61_900,
    ({ accounts, args, remaining }, call) => {
      const { obligation, reserve } = accounts;
      requireRefreshOrder(call, obligation, [{ reserve, kind: 'Collateral' }]);
      runDeposit({ call, rules }, { accounts, remaining }, args.liquidityAmount);
    },
  ),
  anchorHandler(
    depositReserveLiquidityAndObligationCollateralV2,
    56_000,
    ({ accounts, args, remaining }, call) => {
      requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
      runDeposit({ call, rules }, { accounts, remaining }, args.liquidityAmount);
      refreshObligationFarm(call, accounts, { ...accounts, kind: 'Collateral' });
    },
  ),
];

type DepositInstruction = {
  readonly accounts: DepositAccounts;
  readonly remaining: readonly Address[];
};

function runDeposit(
  lending: LendingCall,
  { accounts, remaining }: DepositInstruction,
  amount: bigint,
): void {
  const { call } = lending;
  const { context, position } = loadDeposit(lending, accounts);
  const reserves = [reserveOf(position.reserves, accounts.reserve)];
  requirePermission(call, { market: context.market, reserves, operation: 'deposit', remaining });
  logRequestedDeposit(call, accounts, amount);
  const after = deposit(position, context, { reserve: accounts.reserve, amount });
  writeLendingPosition(call, accounts.obligation, { before: position, after });
  settleDeposit(call, accounts, after);
}

type DepositContext = {
  readonly context: LendingContext;
  readonly position: ObligationPosition;
};

/** Checks the accounts and loads the position. */
export function loadDeposit(lending: LendingCall, accounts: DepositAccounts): DepositContext {
  const { call } = lending;
  const {
    owner,
    lendingMarket: market,
    reserveLiquidityMint: mint,
    userSourceLiquidity,
  } = accounts;
  const context = loadMarketContext(lending, market);
  requirePrograms(call, accounts, { collateralTokenProgram: TOKEN_PROGRAM });
  const obligation = readObligation(call, accounts.obligation, { market, owner });
  requireMarketAuthority(call, market, accounts.lendingMarketAuthority);
  const reserve = readReserve(call, accounts.reserve, { market });
  requireAddresses(call, accounts, {
    reserveLiquidityMint: reserve.liquidity.mintPubkey,
    reserveLiquiditySupply: reserve.liquidity.supplyVault,
    reserveCollateralMint: reserve.collateral.mintPubkey,
    reserveDestinationDepositCollateral: reserve.collateral.supplyVault,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  requireMintProgram(call, mint, accounts.liquidityTokenProgram);
  const source = { slot: 'userSourceLiquidity', address: userSourceLiquidity };
  requireTokenAccount(call, { ...source, mint, owner });
  requireNotReserveVault(userSourceLiquidity, reserve.liquidity.supplyVault);
  requireOpenReserve(context, reserve);
  requireSupportedExtensions(call, { mint, account: userSourceLiquidity });
  return { context, position: { obligation, reserves: new Map([[accounts.reserve, reserve]]) } };
}

export function logRequestedDeposit(
  call: InvokeContext,
  { reserve }: DepositAccounts,
  amount: bigint,
): void {
  const name = 'DepositReserveLiquidityAndObligationCollateral';
  call.log(`${name} Reserve ${reserve} amount ${amount}`);
}

/** Transfers the liquidity and mints the cTokens into the reserve's vault. */
export function settleDeposit(
  call: InvokeContext,
  accounts: DepositAccounts,
  { liquidity, collateral }: DepositAmounts,
): void {
  call.log(`pnl: Deposit reserve liquidity ${liquidity} and obligation collateral ${collateral}`);
  transferLiquidity(call, {
    mint: accounts.reserveLiquidityMint,
    tokenProgram: accounts.liquidityTokenProgram,
    source: accounts.userSourceLiquidity,
    destination: accounts.reserveLiquiditySupply,
    signer: { wallet: accounts.owner },
    amount: liquidity,
  });
  mintCollateral(call, {
    mint: accounts.reserveCollateralMint,
    account: accounts.reserveDestinationDepositCollateral,
    signer: { lendingMarketAuthority: accounts.lendingMarketAuthority },
    amount: collateral,
  });
}

export type WithdrawAccounts = InstructionAccounts<typeof withdrawAccounts>;

/** Withdrawals: redeem collateral of an obligation into a wallet. */
export const withdrawHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(
    withdrawObligationCollateralAndRedeemReserveCollateral,
    52_800,
    ({ accounts, args }, call) => {
      const { obligation, withdrawReserve: reserve } = accounts;
      requireRefreshOrder(call, obligation, [{ reserve, kind: 'Collateral' }]);
      runWithdrawal({ call, rules }, accounts, args.collateralAmount);
    },
  ),
  anchorHandler(
    withdrawObligationCollateralAndRedeemReserveCollateralV2,
    47_500,
    ({ accounts, args }, call) => {
      requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
      runWithdrawal({ call, rules }, accounts, args.collateralAmount);
      const { withdrawReserve: reserve } = accounts;
      refreshObligationFarm(call, accounts, { ...accounts, reserve, kind: 'Collateral' });
    },
  ),
];

function runWithdrawal(lending: LendingCall, accounts: WithdrawAccounts, collateral: bigint): void {
  const { context, position } = loadWithdrawal(lending, accounts);
  const reserve = accounts.withdrawReserve;
  const after = withdraw(position, context, { reserve, collateral, limit: 'max ltv' });
  settleWithdrawal(lending.call, accounts, { before: position, after });
}

type WithdrawalContext = {
  readonly context: LendingContext;
  readonly position: ObligationPosition;
};

/** Checks the accounts and loads the position. */
export function loadWithdrawal(
  lending: LendingCall,
  accounts: WithdrawAccounts,
): WithdrawalContext {
  const { call } = lending;
  const { owner, lendingMarket: market, withdrawReserve, reserveLiquidityMint: mint } = accounts;
  const address = accounts.userDestinationLiquidity;
  const context = loadMarketContext(lending, market);
  requirePrograms(call, accounts, { collateralTokenProgram: TOKEN_PROGRAM });
  const obligation = readObligation(call, accounts.obligation, { market, owner });
  requireMarketAuthority(call, market, accounts.lendingMarketAuthority);
  const reserve = readReserve(call, withdrawReserve, { market, slot: 'withdrawReserve' });
  requireAddresses(call, accounts, {
    reserveLiquidityMint: reserve.liquidity.mintPubkey,
    reserveSourceCollateral: reserve.collateral.supplyVault,
    reserveCollateralMint: reserve.collateral.mintPubkey,
    reserveLiquiditySupply: reserve.liquidity.supplyVault,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  requireMintProgram(call, mint, accounts.liquidityTokenProgram);
  requireTokenAccount(call, { slot: 'userDestinationLiquidity', address, mint, owner });
  requireNotReserveVault(address, reserve.liquidity.supplyVault);
  requireSupportedExtensions(call, { mint, account: address });
  return { context, position: { obligation, reserves: new Map([[withdrawReserve, reserve]]) } };
}

/** Writes the position, pays out, and closes an obligation that is empty. */
export function settleWithdrawal(
  call: InvokeContext,
  accounts: WithdrawAccounts,
  { before, after }: { readonly before: ObligationPosition; readonly after: WithdrawResult },
): void {
  const { obligation, owner } = accounts;
  writeLendingPosition(call, obligation, { before, after });
  payWithdrawal(call, accounts, after);
  if (after.closes) closeObligation(call, obligation, owner);
}

/** Burns the cTokens in the reserve's vault and pays out their value. */
function payWithdrawal(
  call: InvokeContext,
  accounts: WithdrawAccounts,
  { collateral, liquidity }: Pick<WithdrawResult, 'collateral' | 'liquidity'>,
): void {
  const signer = { lendingMarketAuthority: accounts.lendingMarketAuthority };
  call.log(
    `pnl: Withdraw obligation collateral ${collateral} and redeem reserve collateral ${liquidity}`,
  );
  burnCollateral(call, {
    mint: accounts.reserveCollateralMint,
    account: accounts.reserveSourceCollateral,
    signer,
    amount: collateral,
  });
  transferLiquidity(call, {
    mint: accounts.reserveLiquidityMint,
    tokenProgram: accounts.liquidityTokenProgram,
    source: accounts.reserveLiquiditySupply,
    destination: accounts.userDestinationLiquidity,
    signer,
    amount: liquidity,
  });
}
