export { type HeldShares, inCurrentHolding, sharesHeld } from './holding-period.ts';
export { viewShareMint } from './share-mint.ts';
export { drawShareMintIcon } from './share-mint-icon.ts';
export {
  type SharePoint,
  type TrailingApys,
  trailingApys,
  trailingWindows,
  windowStart,
} from './trailing-apy.ts';
export { type VaultAllocation, type VaultPart, viewVaultAllocations } from './vault-allocations.ts';
export { countHolders, createStakersIn, type StakersIn } from './vault-holders.ts';
export { SOL_MINT, type VaultMetrics, viewVaultMetrics, wholeTokens } from './vault-metrics.ts';
export {
  type InEachUnit,
  type ShareEvent,
  type SharePrices,
  type VaultPnl,
  viewVaultPnl,
} from './vault-pnl.ts';
export {
  createVaultTerms,
  inOrderOfCreation,
  isFarmOfShares,
  type VaultNow,
  type VaultReport,
  type VaultTerms,
  vaultName,
  vaultNow,
  viewVault,
} from './vault-snapshot.ts';
