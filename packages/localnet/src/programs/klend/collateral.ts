import type { Address } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { klendRejection, type LendingRules } from '@tidegate/core/protocol/klend';
import {
  type depositCollateralAccounts,
  depositObligationCollateral,
  depositObligationCollateralV2,
  depositReserveLiquidity,
  redeemReserveCollateral,
  type withdrawCollateralAccounts,
  withdrawObligationCollateral,
  withdrawObligationCollateralV2,
} from '@tidegate/core/protocol/klend/instructions';
import type { Reserve } from '@tidegate/core/protocol/klend/layout';
import {
  accrueReserveToSlot,
  depositCollateral,
  hasBorrows,
  hasDeposits,
  redeemCollateral,
  requireNoEmergencyMode,
  requireOpenReserve,
  supplyLiquidity,
  withdrawCollateral,
} from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
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
import { closeObligation, writeLendingPosition, writeReserve } from './position-accounts.ts';
import { requireRefreshOrder } from './refreshes.ts';
import {
  burnCollateral,
  mintCollateral,
  requireMintProgram,
  requireSupportedExtensions,
  requireTokenAccount,
  transferCollateral,
  transferLiquidity,
} from './token-accounts.ts';

/** cTokens in wallets, without obligations. The vault program calls these instructions. */
export const reserveCollateralHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(depositReserveLiquidity, 49_400, ({ accounts, args, remaining }, call) => {
    handleDeposit({ call, rules }, { accounts, remaining }, args.liquidityAmount);
  }),
  anchorHandler(redeemReserveCollateral, 36_800, ({ accounts, args }, call) => {
    handleRedeem({ call, rules }, accounts, args.collateralAmount);
  }),
];

type DepositInstruction = {
  readonly accounts: InstructionAccounts<typeof depositReserveLiquidity.accounts>;
  readonly remaining: readonly Address[];
};

function handleDeposit(
  lending: LendingCall,
  { accounts, remaining }: DepositInstruction,
  amount: bigint,
): void {
  const { call } = lending;
  const context = loadMarketContext(lending, accounts.lendingMarket);
  const before = readCheckedReserve(lending, accounts);
  const { market } = context;
  requirePermission(call, { market, reserves: [before], operation: 'deposit', remaining });
  const mint = accounts.reserveLiquidityMint;
  requireTokenAccount(call, {
    slot: 'userSourceLiquidity',
    address: accounts.userSourceLiquidity,
    mint,
  });
  requireTokenAccount(call, {
    slot: 'userDestinationCollateral',
    address: accounts.userDestinationCollateral,
    mint: accounts.reserveCollateralMint,
  });
  requireNotReserveVault(accounts.userSourceLiquidity, before.liquidity.supplyVault);
  requireNotReserveVault(accounts.userDestinationCollateral, before.collateral.supplyVault);
  requireOpenReserve(context, before);
  if (before.config.blockCtokenUsage !== 0) {
    throw klendRejection('CTokenUsageBlocked', 'the reserve gives out no cTokens');
  }
  requireSupportedExtensions(call, { mint, account: accounts.userSourceLiquidity });
  const { reserve, liquidity, collateral } = supplyLiquidity(
    accrueReserveToSlot(before, context),
    context,
    amount,
  );
  call.log(`pnl: Depositing in reserve ${accounts.reserve} liquidity ${liquidity}`);
  writeReserve(call, accounts.reserve, reserve);
  transferLiquidity(call, {
    mint,
    tokenProgram: accounts.liquidityTokenProgram,
    source: accounts.userSourceLiquidity,
    destination: accounts.reserveLiquiditySupply,
    signer: { wallet: accounts.owner },
    amount: liquidity,
  });
  mintCollateral(call, {
    mint: accounts.reserveCollateralMint,
    account: accounts.userDestinationCollateral,
    signer: { lendingMarketAuthority: accounts.lendingMarketAuthority },
    amount: collateral,
  });
}

function handleRedeem(
  lending: LendingCall,
  accounts: InstructionAccounts<typeof redeemReserveCollateral.accounts>,
  collateral: bigint,
): void {
  const { call } = lending;
  const context = loadMarketContext(lending, accounts.lendingMarket);
  const before = readCheckedReserve(lending, accounts);
  const { owner, reserveLiquidityMint: mint, userDestinationLiquidity } = accounts;
  requireTokenAccount(call, {
    slot: 'userSourceCollateral',
    address: accounts.userSourceCollateral,
    mint: accounts.reserveCollateralMint,
  });
  requireTokenAccount(call, {
    slot: 'userDestinationLiquidity',
    address: userDestinationLiquidity,
    mint,
    owner,
  });
  requireNotReserveVault(accounts.userSourceCollateral, before.collateral.supplyVault);
  requireNotReserveVault(userDestinationLiquidity, before.liquidity.supplyVault);
  requireSupportedExtensions(call, { mint, account: userDestinationLiquidity });
  requireNoEmergencyMode(context, before);
  const { reserve, liquidity } = redeemCollateral(accrueReserveToSlot(before, context), context, {
    collateral,
  });
  call.log(`pnl: Redeeming reserve collateral ${liquidity}`);
  writeReserve(call, accounts.reserve, reserve);
  burnCollateral(call, {
    mint: accounts.reserveCollateralMint,
    account: accounts.userSourceCollateral,
    signer: { wallet: owner },
    amount: collateral,
  });
  transferLiquidity(call, {
    mint,
    tokenProgram: accounts.liquidityTokenProgram,
    source: accounts.reserveLiquiditySupply,
    destination: userDestinationLiquidity,
    signer: { lendingMarketAuthority: accounts.lendingMarketAuthority },
    amount: liquidity,
  });
}

type ReserveAccounts = {
  readonly reserve: Address;
  readonly lendingMarket: Address;
  readonly lendingMarketAuthority: Address;
  readonly reserveLiquidityMint: Address;
  readonly reserveLiquiditySupply: Address;
  readonly reserveCollateralMint: Address;
  readonly collateralTokenProgram: Address;
  readonly liquidityTokenProgram: Address;
  readonly instructionSysvarAccount: Address;
};

/** Checks the accounts of the reserve and loads it. */
function readCheckedReserve({ call }: LendingCall, accounts: ReserveAccounts): Reserve {
  const { reserve, lendingMarket, reserveLiquidityMint, liquidityTokenProgram } = accounts;
  requirePrograms(call, accounts, { collateralTokenProgram: TOKEN_PROGRAM });
  const fields = readReserve(call, reserve, { market: lendingMarket });
  requireMarketAuthority(call, lendingMarket, accounts.lendingMarketAuthority);
  requireAddresses(call, accounts, {
    reserveLiquidityMint: fields.liquidity.mintPubkey,
    reserveLiquiditySupply: fields.liquidity.supplyVault,
    reserveCollateralMint: fields.collateral.mintPubkey,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  requireMintProgram(call, reserveLiquidityMint, liquidityTokenProgram);
  return fields;
}

/** Deposits and withdrawals of cTokens, without liquidity. */
export const obligationCollateralHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(depositObligationCollateral, 40_000, ({ accounts, args }, call) => {
    const { obligation, depositReserve: reserve } = accounts;
    requireRefreshOrder(call, obligation, [{ reserve, kind: 'Collateral' }]);
    runDeposit({ call, rules }, accounts, args.collateralAmount);
  }),
  anchorHandler(depositObligationCollateralV2, 36_000, ({ accounts, args }, call) => {
    const { lendingMarket, lendingMarketAuthority, depositReserve: reserve } = accounts;
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
    requireMarketAuthority(call, lendingMarket, lendingMarketAuthority);
    runDeposit({ call, rules }, accounts, args.collateralAmount);
    refreshObligationFarm(call, accounts, { ...accounts, reserve, kind: 'Collateral' });
  }),
  anchorHandler(withdrawObligationCollateral, 40_000, ({ accounts, args }, call) => {
    const { obligation, withdrawReserve: reserve } = accounts;
    requireRefreshOrder(call, obligation, [{ reserve, kind: 'Collateral' }]);
    runWithdrawal({ call, rules }, accounts, args.collateralAmount);
  }),
  anchorHandler(withdrawObligationCollateralV2, 36_000, ({ accounts, args }, call) => {
    const { withdrawReserve: reserve } = accounts;
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
    runWithdrawal({ call, rules }, accounts, args.collateralAmount);
    refreshObligationFarm(call, accounts, { ...accounts, reserve, kind: 'Collateral' });
  }),
];

function runDeposit(
  lending: LendingCall,
  accounts: InstructionAccounts<typeof depositCollateralAccounts>,
  collateral: bigint,
): void {
  const { call } = lending;
  const { owner, lendingMarket: market, depositReserve } = accounts;
  const context = loadMarketContext(lending, market);
  requirePrograms(call, accounts, { tokenProgram: TOKEN_PROGRAM });
  const obligation = readObligation(call, accounts.obligation, { market, owner });
  const reserve = readReserve(call, depositReserve, { market, slot: 'depositReserve' });
  const { mintPubkey: mint, supplyVault } = reserve.collateral;
  requireAddresses(call, accounts, {
    reserveDestinationCollateral: supplyVault,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  const source = accounts.userSourceCollateral;
  requireTokenAccount(call, { slot: 'userSourceCollateral', address: source, mint });
  requireNotReserveVault(source, supplyVault);
  requireOpenReserve(context, reserve);
  const before = { obligation, reserves: new Map([[depositReserve, reserve]]) };
  const refreshed = new Map([[depositReserve, accrueReserveToSlot(reserve, context)]]);
  const after = depositCollateral({ obligation, reserves: refreshed }, context, {
    reserve: depositReserve,
    collateral,
  });
  call.log(`pnl: Depositing obligation collateral ${collateral}`);
  writeLendingPosition(call, accounts.obligation, { before, after });
  transferCollateral(call, {
    source,
    destination: supplyVault,
    signer: { wallet: owner },
    amount: collateral,
  });
}

function runWithdrawal(
  lending: LendingCall,
  accounts: InstructionAccounts<typeof withdrawCollateralAccounts>,
  requested: bigint,
): void {
  const { call } = lending;
  const { owner, lendingMarket: market, withdrawReserve, lendingMarketAuthority } = accounts;
  const context = loadMarketContext(lending, market);
  requirePrograms(call, accounts, { tokenProgram: TOKEN_PROGRAM });
  const obligation = readObligation(call, accounts.obligation, { market, owner });
  requireMarketAuthority(call, market, lendingMarketAuthority);
  const reserve = readReserve(call, withdrawReserve, { market, slot: 'withdrawReserve' });
  const { mintPubkey: mint, supplyVault } = reserve.collateral;
  requireAddresses(call, accounts, {
    reserveSourceCollateral: supplyVault,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  const destination = accounts.userDestinationCollateral;
  requireTokenAccount(call, {
    slot: 'userDestinationCollateral',
    address: destination,
    mint,
    owner,
  });
  requireNotReserveVault(destination, supplyVault);
  if (reserve.config.blockCtokenUsage !== 0) {
    throw klendRejection('CTokenUsageBlocked', 'the reserve gives out no cTokens');
  }
  const before = { obligation, reserves: new Map([[withdrawReserve, reserve]]) };
  const request = { reserve: withdrawReserve, collateral: requested, limit: 'max ltv' as const };
  const after = withdrawCollateral(before, context, request);
  writeLendingPosition(call, accounts.obligation, { before, after });
  const signer = { lendingMarketAuthority };
  transferCollateral(call, { source: supplyVault, destination, signer, amount: after.collateral });
  call.log(`pnl: Withdraw obligation collateral ${after.collateral}`);
  const isEmpty = !hasDeposits(after.obligation) && !hasBorrows(after.obligation);
  if (isEmpty) closeObligation(call, accounts.obligation, owner);
}
