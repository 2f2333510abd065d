export type { FarmReward } from './farm-rewards.ts';
export {
  boostAt,
  type Season,
  type SeasonBoost,
  type SeasonEarned,
  type SeasonReward,
} from './seasons/season.ts';
export {
  createWalker,
  earnedOver,
  loanUsdByHour,
  type SeasonHour,
} from './seasons/season-earnings.ts';
export {
  eligibleUsd,
  marketOfSides,
  namedReserves,
  namedReservesNow,
  type PositionSource,
  usdOfLoans,
  usdOfShares,
} from './seasons/season-eligible-value.ts';
export {
  meanRates,
  togetherOf,
  viewSeasonRate,
  viewWalletReward,
  type WalletReward,
  type WalletRewardMeans,
} from './seasons/season-rates.ts';
export {
  isVaultLine,
  type SeasonLine,
  type SeasonSides,
  seasonLines,
  seasonOf,
  sidesKey,
} from './seasons/season-reward-groups.ts';
export { rateTerms, vaultIncentives, viewVaultRates } from './seasons/season-vault-rates.ts';
export {
  meanRatio,
  medianRatio,
  type PoolSample,
  viewEpochYields,
  viewYieldsAt,
} from './staking-yields.ts';
