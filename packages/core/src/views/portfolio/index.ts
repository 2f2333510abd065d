export {
  type FarmPurpose,
  type FarmStake,
  farmPurposes,
  isOpen,
  type PendingReward,
  stakedMints,
  viewFarmStake,
  viewPendingRewards,
} from './farm-stakes.ts';
export {
  collect,
  type EarnPosition,
  loanKind,
  type PortfolioLoan,
  type Section,
  viewEarnPositions,
  viewPortfolioLoans,
} from './portfolio.ts';
export {
  hasShares,
  type VaultPosition,
  viewVaultPosition,
  viewVaultPositions,
} from './vault-position.ts';
