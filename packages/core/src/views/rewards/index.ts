export type { FarmReward } from './farm-rewards.ts';
export { type ReserveIncentive, viewReserveIncentives } from './reserve-incentives.ts';
export {
  boostAt,
  type Season,
  type SeasonBoost,
  type SeasonEarnings,
  type SeasonReward,
} from './seasons/season.ts';
export {
  createStateCursor,
  eligibleLoanUsdByHour,
  type SeasonHourlySample,
  sumSeasonEarnings,
} from './seasons/season-earnings.ts';
export {
  type EligiblePositionSource,
  marketOfTarget,
  reserveSnapshotsOfTargets,
  reservesOfTargets,
  sumEligibleLoansUsd,
  sumEligibleUsd,
  vaultSharesUsd,
} from './seasons/season-eligible-value.ts';
export {
  averageRates,
  combineWalletRewards,
  type SeasonRate,
  viewSeasonRate,
  viewWalletReward,
  type WalletReward,
  type WalletRewardAverages,
} from './seasons/season-rates.ts';
export {
  findSeason,
  groupSeasonRewards,
  isVaultRewardGroup,
  type RewardTarget,
  rewardTargetKey,
  type SeasonRewardGroup,
} from './seasons/season-reward-groups.ts';
export {
  seasonRateInput,
  vaultSeasonApr,
  viewVaultSeasonRates,
} from './seasons/season-vault-rates.ts';
export { StakeSums, type StakeTotals } from './stake-sums.ts';
export {
  type EpochYield,
  meanRatio,
  medianRatio,
  SLOTS_PER_EPOCH,
  type StakePoolSample,
  viewEpochYields,
  viewEpochYieldsAtSlots,
  viewNumberedEpochYields,
} from './staking-yields.ts';
