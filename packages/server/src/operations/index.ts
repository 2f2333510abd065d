import { identifyAddress } from './addresses/route.ts';
import { getDocsAddresses } from './docs/addresses.ts';
import { getDocs, getDocsAsset } from './docs/docs.ts';
import { getGuide, getGuideExample } from './docs/guide.ts';
import { getLlmsTxt } from './docs/llms.ts';
import { getOpenApi } from './docs/openapi.ts';
import { getOperationPage } from './docs/operation-page.ts';
import { getDocsSearch } from './docs/search.ts';
import { getUserEarnHistory, getUserVaultHistory } from './earn/metrics-history/route.ts';
import {
  getUserVaultPnl,
  getUserVaultPnlBreakdown,
  getUserVaultPnlHistory,
} from './earn/pnl/route.ts';
import { getUserVaultPosition, listUserVaultPositions } from './earn/positions.ts';
import { getEarnSummary } from './earn/summary.ts';
import { listUserVaultTransactions } from './earn/transactions.ts';
import { listRecentEvents } from './events/recent-events.ts';
import { streamTransactions } from './events/transaction-stream/route.ts';
import { getExplorerAsset, getExplorerPage } from './explorer/explorer.ts';
import { listFarmAdminHistory } from './farms/management-history/route.ts';
import { listFarmTransactions, listUserFarmTransactions } from './farms/transactions/route.ts';
import { listBorrowOrderFills } from './loans/borrow-order-fills.ts';
import { getObligationInterestEarned, getObligationInterestPaid } from './loans/interest/route.ts';
import { listLiquidatableLoans } from './loans/liquidatable/route.ts';
import { getLoanLiquidations } from './loans/liquidations.ts';
import { getLoan } from './loans/loan.ts';
import { getObligationHistory } from './loans/metrics-history/route.ts';
import { listOpenBorrowOrders } from './loans/open-borrow-orders.ts';
import { getObligationPnl } from './loans/pnl.ts';
import {
  listObligationTransactions,
  listUserLendTransactions,
  listUserLendTransactionsAllMarkets,
} from './loans/transactions/route.ts';
import {
  listUserLendTransactionsAllMarketsV3,
  listUserLendTransactionsV3,
} from './loans/transactions/route-v3.ts';
import { listUserObligations } from './loans/user-obligations/route.ts';
import { sendDemoTransaction } from './localnet/demo-transaction.ts';
import { getLeverageMetrics } from './markets/leverage/route.ts';
import { getMarket, listMarkets } from './markets/market.ts';
import { getMarketHistory } from './markets/metrics-history/route.ts';
import { listOraclePrices } from './markets/oracle-prices.ts';
import { listPriceGroups } from './markets/price-groups.ts';
import { getPriceMoves } from './markets/price-moves/route.ts';
import { listTokenPrices } from './markets/token-prices.ts';
import { queryMarketTransactions } from './markets/transactions/route.ts';
import { queryMarketTransactionsV3 } from './markets/transactions/route-v3.ts';
import type { OperationPlugin } from './operation-context.ts';
import { getWalletBalances } from './portfolio/balances/route.ts';
import { getOwnerNetValueHistory } from './portfolio/net-value-history/route.ts';
import { getPortfolioPendingRewards } from './portfolio/pending-rewards/route.ts';
import { getPortfolio } from './portfolio/portfolio/route.ts';
import { getProof } from './proof/route.ts';
import { listReserveAccounts } from './reserves/accounts/route.ts';
import {
  getBorrowMedianStakingApyHistory,
  getBorrowStakingApyHistory,
} from './reserves/borrow-staking-history.ts';
import { listCollateralReserves } from './reserves/collateral/route.ts';
import { listReserveMetrics } from './reserves/metrics.ts';
import { getReserveHistory } from './reserves/metrics-history/route.ts';
import { listReserveRewards } from './reserves/rewards.ts';
import {
  getMarketReserveStats,
  getReserveStats,
  listReserveStats,
} from './reserves/stats/route.ts';
import { getWithdrawQueue, listUserWithdrawTickets } from './reserves/withdraw-queue/route.ts';
import { listAirdropAllocations } from './rewards/airdrop-allocations.ts';
import { listLendingRewards } from './rewards/lending-rewards.ts';
import { getLendingRewardHistory } from './rewards/reward-history.ts';
import { getUserLendingRewards, listUserVaultRewards } from './rewards/user-rewards/route.ts';
import { getSeasonUserTotal } from './rewards/user-season-total.ts';
import { listVaultRewards } from './rewards/vault-rewards.ts';
import { listStakingBoosts } from './staking/staking-boosts.ts';
import {
  listMeanStakingYields,
  listMedianStakingYields,
  listStakingYields,
} from './staking/staking-yields.ts';
import { getStakingYieldHistory } from './staking/yield-history.ts';
import { listEpochs } from './status/epochs.ts';
import { getHealth } from './status/health.ts';
import { getMetrics } from './status/metrics.ts';
import { getReadiness } from './status/readiness.ts';
import { getSlotDuration } from './status/slot-duration.ts';
import { getStartPage } from './status/start-page.ts';
import { getStatus } from './status/status.ts';
import { listTokens } from './tokens/tokens.ts';
import { buildFarmClaimIxs, buildFarmClaimTx } from './transactions/claim-builder.ts';
import { decodeTransaction } from './transactions/decode/route.ts';
import { planLoanExit, planVaultExit } from './transactions/exit-plans.ts';
import {
  buildLendBorrowIxs,
  buildLendBorrowTx,
  buildLendDepositIxs,
  buildLendDepositTx,
  buildLendRepayIxs,
  buildLendRepayTx,
  buildLendWithdrawIxs,
  buildLendWithdrawTx,
} from './transactions/lending-builders.ts';
import {
  buildDeleverageIxs,
  buildDeleverageTx,
  buildMultiplyIxs,
  buildMultiplyTx,
} from './transactions/leverage-builders.ts';
import { buildLiquidationIxs, buildLiquidationTx } from './transactions/liquidation-builder.ts';
import { findLookupTables } from './transactions/lookup-table-search.ts';
import {
  getManagedLookupTables,
  getManagedLookupTablesBatch,
  listManagedLookupTablesByProduct,
} from './transactions/managed-lookup-tables.ts';
import { getTransactionOutcome } from './transactions/outcome/route.ts';
import { suggestPriorityFee } from './transactions/priority-fee.ts';
import {
  buildVaultDepositIxs,
  buildVaultDepositTx,
  buildVaultWithdrawIxs,
  buildVaultWithdrawTx,
} from './transactions/vault-builders.ts';
import { getVaultAllocationVolumeHistory } from './vaults/allocation-volume.ts';
import { getVaultAllocations } from './vaults/allocations/route.ts';
import { getVaultMetrics, listVaultMetrics } from './vaults/metrics/route.ts';
import { getVaultMetricsHistory } from './vaults/metrics-history/route.ts';
import { listQueuedVaultWithdrawals } from './vaults/queued-withdrawals.ts';
import { getShareMintIcon, getShareMintMetadata } from './vaults/share-mint.ts';
import { queryOneVaultTransactions, queryVaultTransactions } from './vaults/transactions/route.ts';
import { getVault, listVaults } from './vaults/vault/route.ts';
import { enableHook, rotateHookSecret, testHook } from './webhooks/hook-changes.ts';
import { listHookDeliveries, replayHookDeliveries } from './webhooks/hook-deliveries.ts';
import { createHook, deleteHook, getHook, listHooks } from './webhooks/hooks.ts';

/** All operations, in the order of the OpenAPI document. A new operation is added here. */
export const operations: readonly OperationPlugin[] = [
  listTokens,

  listMarkets,
  getMarket,
  listReserveMetrics,
  listReserveRewards,
  getReserveStats,
  getMarketReserveStats,
  listReserveStats,
  listCollateralReserves,
  getWithdrawQueue,
  listUserWithdrawTickets,
  listReserveAccounts,
  getLeverageMetrics,
  listPriceGroups,
  listOpenBorrowOrders,
  listUserObligations,
  getLoan,
  getLoanLiquidations,
  listLiquidatableLoans,
  listVaultRewards,
  listLendingRewards,
  getUserLendingRewards,
  listUserVaultRewards,
  getSeasonUserTotal,
  listAirdropAllocations,
  listStakingBoosts,
  getLendingRewardHistory,
  getReserveHistory,
  getMarketHistory,
  getObligationHistory,
  getObligationPnl,
  getObligationInterestEarned,
  getObligationInterestPaid,
  listObligationTransactions,
  listUserLendTransactionsAllMarkets,
  listUserLendTransactions,
  queryMarketTransactions,
  listUserLendTransactionsAllMarketsV3,
  listUserLendTransactionsV3,
  queryMarketTransactionsV3,
  listBorrowOrderFills,
  getBorrowStakingApyHistory,
  getBorrowMedianStakingApyHistory,
  listStakingYields,
  listMedianStakingYields,
  listMeanStakingYields,
  getStakingYieldHistory,

  listVaults,
  getVault,
  getVaultMetrics,
  listVaultMetrics,
  getVaultAllocations,
  getVaultMetricsHistory,
  getVaultAllocationVolumeHistory,
  getEarnSummary,
  listUserVaultPositions,
  getUserVaultPosition,
  getUserVaultHistory,
  getUserEarnHistory,
  getUserVaultPnl,
  getUserVaultPnlBreakdown,
  getUserVaultPnlHistory,
  listUserVaultTransactions,
  queryVaultTransactions,
  queryOneVaultTransactions,
  listQueuedVaultWithdrawals,
  getShareMintMetadata,
  getShareMintIcon,
  getPortfolio,
  getPortfolioPendingRewards,
  getWalletBalances,
  getOwnerNetValueHistory,
  listUserFarmTransactions,
  listFarmTransactions,
  listFarmAdminHistory,

  identifyAddress,
  listOraclePrices,
  listTokenPrices,
  getPriceMoves,
  getSlotDuration,
  listEpochs,
  listRecentEvents,
  streamTransactions,
  findLookupTables,
  getManagedLookupTables,
  getManagedLookupTablesBatch,
  listManagedLookupTablesByProduct,
  buildVaultDepositTx,
  buildVaultDepositIxs,
  buildVaultWithdrawTx,
  buildVaultWithdrawIxs,
  buildLendDepositTx,
  buildLendDepositIxs,
  buildLendBorrowTx,
  buildLendBorrowIxs,
  buildLendRepayTx,
  buildLendRepayIxs,
  buildLendWithdrawTx,
  buildLendWithdrawIxs,
  buildFarmClaimTx,
  buildFarmClaimIxs,
  buildLiquidationTx,
  buildLiquidationIxs,
  buildMultiplyTx,
  buildMultiplyIxs,
  buildDeleverageTx,
  buildDeleverageIxs,
  planLoanExit,
  planVaultExit,
  decodeTransaction,
  suggestPriorityFee,
  getTransactionOutcome,
  sendDemoTransaction,

  createHook,
  listHooks,
  getHook,
  deleteHook,
  listHookDeliveries,
  replayHookDeliveries,
  testHook,
  rotateHookSecret,
  enableHook,

  getExplorerPage,
  getExplorerAsset,
  getStartPage,
  getHealth,
  getReadiness,
  getStatus,
  getProof,
  getMetrics,
  getOpenApi,
  getDocs,
  getDocsAsset,
  getDocsAddresses,
  getDocsSearch,
  getGuide,
  getGuideExample,
  getOperationPage,
  getLlmsTxt,
];
