import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { klendRejection, type LendingRules } from '@tidegate/core/protocol/klend';
import {
  type depositCollateralAccounts,
  depositObligationCollateral,
  depositObligationCollateralV2,
  type withdrawCollateralAccounts,
  withdrawObligationCollateral,
  withdrawObligationCollateralV2,
} from '@tidegate/core/protocol/klend/instructions';
import {
  accrueReserveToSlot,
  depositCollateral,
  hasBorrows,
  hasDeposits,
  requireOpenReserve,
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
  requirePrograms,
} from './lending-constraints.ts';
import { closeObligation, writeLendingPosition } from './position-accounts.ts';
import { requireRefreshOrder } from './refresh-order.ts';
import { transferCollateral } from './reserve-transfers.ts';
import { requireTokenAccount } from './user-token-accounts.ts';

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
