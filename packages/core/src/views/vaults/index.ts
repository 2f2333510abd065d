export { accrueVault } from './accrued-vault.ts';
export {
  countClosedTrades,
  isInCurrentHoldingPeriod,
  type ShareBalanceChange,
  totalShares,
} from './holding-period.ts';
export { type TrackedContext, trackPrices } from './price-tracking.ts';
export { viewShareMint } from './share-mint.ts';
export { drawShareMintIcon } from './share-mint-icon.ts';
export {
  type SharePoint,
  type TrailingApys,
  type TrailingRates,
  type TrailingWindow,
  trailingRates,
  trailingWindows,
  windowStart,
} from './trailing-apy.ts';
export {
  type AllocatedAmount,
  type VaultAllocationMetrics,
  viewVaultAllocations,
} from './vault-allocations.ts';
export { countHolders, createStakerLister, type ListStakers } from './vault-holders.ts';
export { vaultWithdrawable } from './vault-liquidity.ts';
export {
  sfToWholeTokens,
  type VaultMetrics,
  viewVaultMetrics,
} from './vault-metrics.ts';
export {
  type PerCurrency,
  type SharePrices,
  type ShareTrade,
  type VaultPnl,
  viewVaultPnl,
} from './vault-pnl.ts';
export { type VaultPnlBreakdown, viewVaultPnlBreakdown } from './vault-pnl-breakdown.ts';
export {
  computePricedVault,
  computeVaultSnapshot,
  createVaultViewContext,
  isVaultShareFarm,
  snapshotVault,
  sortByCreation,
  type VaultReport,
  type VaultSnapshot,
  type VaultViewContext,
  vaultName,
  viewVault,
} from './vault-snapshot.ts';
