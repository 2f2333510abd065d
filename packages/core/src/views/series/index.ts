export { ZERO_ACCRUED_VALUE } from './accrued-value.ts';
export { historicalCollateralWorth } from './historical-market.ts';
export { snapshotHistoricalReserve, snapshotHistoricalReserveAt } from './historical-reserve.ts';
export { addEarningsSinceSample } from './live-vault-earnings.ts';
export { hasPositions, viewMarketPoint } from './market-history.ts';
export { type ObligationPoint, viewObligationPoint } from './obligation-history.ts';
export {
  type InterestKind,
  type InterestPoint,
  type InterestSample,
  type LoanStateChange,
  viewObligationInterest,
} from './obligation-interest.ts';
export {
  type DirectedMoves,
  type PriceMove,
  type PriceMoves,
  type PricePoint,
  viewPriceMoves,
} from './price-moves.ts';
export {
  type AveragedRates,
  type RatePoint,
  trailingAverages,
} from './rate-averages.ts';
export { type ReservePoint, viewReservePoint } from './reserve-history.ts';
export {
  type ByBucket,
  type ObligationHistoryInput,
  type SampledPrice,
  type SampledReserve,
  type SampledStakeRate,
  type SampleFrequency,
  type TimedObligation,
  type TimedObligationPoint,
  viewObligationHistory,
  viewObligationTimes,
} from './sampled-obligation-history.ts';
export { slotDurations } from './slot-duration.ts';
export {
  type UserEarnPoint,
  type UserVaultPoint,
  viewUserEarnPoint,
} from './user-vault-history.ts';
export {
  iterateUserVaultPoints,
  type UserSharesChange,
  type UserVaultProgress,
} from './user-vault-series.ts';
export {
  type RewardApr,
  type VaultMetricsPoint,
  type VaultPointRewards,
  viewVaultMetricsPoint,
} from './vault-metrics-history.ts';
export { type VaultSample, viewVaultSample } from './vault-sample.ts';
export {
  samplePrice,
  sampleSharePrices,
  sampleTokens,
  sampleTokensPerShare,
  usdPerShare,
} from './vault-share-sample.ts';
