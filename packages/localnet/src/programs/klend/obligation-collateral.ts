import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { klendRefuses, type LendingRules } from '@tidegate/core/protocol/klend';
import {
  type depositCollateralAccounts,
  depositObligationCollateral,
  depositObligationCollateralV2,
  type withdrawCollateralAccounts,
  withdrawObligationCollateral,
  withdrawObligationCollateralV2,
} from '@tidegate/core/protocol/klend/instructions';
import {
  bringToSlot,
  depositCollateral,
  hasBorrows,
  hasDeposits,
  requireOpen,
  withdrawCollateral,
} from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { type Handler, handles } from '../framework/anchor-program.ts';
import { refreshFarm } from './farm-stake.ts';
import {
  type Lending,
  type Named,
  openMarket,
  readObligation,
  readReserve,
  requireActive,
  requireAddresses,
  requireAuthority,
  requireForeign,
  requirePrograms,
} from './lending-constraints.ts';
import { closeObligation, writePosition } from './position-accounts.ts';
import { requireRefreshOrder } from './refresh-order.ts';
import { moveCollateral } from './reserve-transfers.ts';
import { requireTokens } from './user-token-accounts.ts';

/** cTokens between a wallet and an obligation, without liquidity. */
export const collateralHandlers = (rules: LendingRules): Handler[] => [
  handles(depositObligationCollateral, 40_000, ({ accounts, args }, call) => {
    const { obligation, depositReserve: reserve } = accounts;
    requireRefreshOrder(call, obligation, [{ reserve, kind: 'Collateral' }]);
    runDeposit({ call, rules }, accounts, args.collateralAmount);
  }),
  handles(depositObligationCollateralV2, 36_000, ({ accounts, args }, call) => {
    const { lendingMarket, lendingMarketAuthority, depositReserve: reserve } = accounts;
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
    requireAuthority(call, lendingMarket, lendingMarketAuthority);
    runDeposit({ call, rules }, accounts, args.collateralAmount);
    refreshFarm(call, accounts, { ...accounts, reserve, kind: 'Collateral' });
  }),
  handles(withdrawObligationCollateral, 40_000, ({ accounts, args }, call) => {
    const { obligation, withdrawReserve: reserve } = accounts;
    requireRefreshOrder(call, obligation, [{ reserve, kind: 'Collateral' }]);
    runWithdrawal({ call, rules }, accounts, args.collateralAmount);
  }),
  handles(withdrawObligationCollateralV2, 36_000, ({ accounts, args }, call) => {
    const { withdrawReserve: reserve } = accounts;
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
    runWithdrawal({ call, rules }, accounts, args.collateralAmount);
    refreshFarm(call, accounts, { ...accounts, reserve, kind: 'Collateral' });
  }),
];

function runDeposit(
  lending: Lending,
  accounts: Named<typeof depositCollateralAccounts>,
  collateral: bigint,
): void {
  const { call } = lending;
  const { owner, lendingMarket: market, depositReserve } = accounts;
  const terms = openMarket(lending, market);
  requirePrograms(call, accounts, { tokenProgram: TOKEN_PROGRAM });
  const obligation = readObligation(call, accounts.obligation, { market, owner });
  const reserve = readReserve(call, depositReserve, { market, slot: 'depositReserve' });
  const { mintPubkey: mint, supplyVault } = reserve.collateral;
  requireAddresses(call, accounts, {
    reserveDestinationCollateral: supplyVault,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  const source = accounts.userSourceCollateral;
  requireTokens(call, { slot: 'userSourceCollateral', address: source, mint });
  requireForeign(source, supplyVault);
  requireActive(reserve);
  requireOpen(terms, reserve);
  const before = { obligation, reserves: new Map([[depositReserve, reserve]]) };
  const refreshed = new Map([[depositReserve, bringToSlot(reserve, terms)]]);
  const after = depositCollateral({ obligation, reserves: refreshed }, terms, {
    ...{ reserve: depositReserve, collateral },
  });
  call.log(`pnl: Depositing obligation collateral ${collateral}`);
  writePosition(call, accounts.obligation, { before, after });
  moveCollateral(call, {
    source,
    destination: supplyVault,
    by: { wallet: owner },
    amount: collateral,
  });
}

function runWithdrawal(
  lending: Lending,
  accounts: Named<typeof withdrawCollateralAccounts>,
  requested: bigint,
): void {
  const { call } = lending;
  const { owner, lendingMarket: market, withdrawReserve, lendingMarketAuthority } = accounts;
  const terms = openMarket(lending, market);
  requirePrograms(call, accounts, { tokenProgram: TOKEN_PROGRAM });
  const obligation = readObligation(call, accounts.obligation, { market, owner });
  requireAuthority(call, market, lendingMarketAuthority);
  const reserve = readReserve(call, withdrawReserve, { market, slot: 'withdrawReserve' });
  const { mintPubkey: mint, supplyVault } = reserve.collateral;
  requireAddresses(call, accounts, {
    reserveSourceCollateral: supplyVault,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  const destination = accounts.userDestinationCollateral;
  requireTokens(call, { slot: 'userDestinationCollateral', address: destination, mint, owner });
  requireForeign(destination, supplyVault);
  if (reserve.config.blockCtokenUsage !== 0) {
    throw klendRefuses('CTokenUsageBlocked', 'the reserve gives out no cTokens');
  }
  const before = { obligation, reserves: new Map([[withdrawReserve, reserve]]) };
  const request = { reserve: withdrawReserve, collateral: requested, limit: 'max ltv' as const };
  const after = withdrawCollateral(before, terms, request);
  writePosition(call, accounts.obligation, { before, after });
  const by = { lendingMarketAuthority };
  moveCollateral(call, { source: supplyVault, destination, by, amount: after.collateral });
  call.log(`pnl: Withdraw obligation collateral ${after.collateral}`);
  const isEmpty = !hasDeposits(after.obligation) && !hasBorrows(after.obligation);
  if (isEmpty) closeObligation(call, accounts.obligation, owner);
}
