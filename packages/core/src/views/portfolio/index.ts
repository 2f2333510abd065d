export {
  type CTokenAccount,
  type CTokenHolding,
  ctokenAccounts,
  viewCTokenHoldings,
} from './ctoken-holdings.ts';
export {
  type FarmPurpose,
  type FarmStake,
  farmPurposes,
  isOpenFarmStake,
  type PendingReward,
  stakedMints,
  viewFarmStake,
  viewPendingRewards,
} from './farm-stakes.ts';
export {
  collectSection,
  type EarnPosition,
  loanSection,
  type PortfolioLoan,
  type PortfolioSection,
  viewEarnPositions,
  viewPortfolioLoans,
} from './portfolio.ts';
export {
  hasShares,
  type VaultHolding,
  type VaultPosition,
  viewVaultHoldings,
  viewVaultPosition,
  viewVaultPositions,
} from './vault-position.ts';
