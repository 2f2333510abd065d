export { pastCollateralWorth } from './historical-market.ts';
export { pastReserveAt, pastReserveNow } from './historical-reserve.ts';
export { sumsSince } from './live-vault-earnings.ts';
export { hasPositions, viewMarketPoint } from './market-history.ts';
export {
  type ByDay,
  type DayPrice,
  type DayReserve,
  type DayStakeRate,
  type ObligationDay,
  type ObligationPast,
  viewObligationDays,
} from './obligation-daily-history.ts';
export { viewObligationPoint } from './obligation-history.ts';
export {
  type InterestMark,
  type InterestPoint,
  type InterestSide,
  type LoanChange,
  viewObligationInterest,
} from './obligation-interest.ts';
export { type ReservePoint, viewReservePoint } from './reserve-history.ts';
export { measuredSlotMs, stretchesOf } from './slot-duration.ts';
export {
  type UserEarnPoint,
  type UserVaultPoint,
  viewUserEarnPoint,
} from './user-vault-history.ts';
export { type ShareChange, walkUserVault } from './user-vault-series.ts';
export {
  type KeptReward,
  type VaultMetricsPoint,
  viewVaultMetricsPoint,
} from './vault-metrics-history.ts';
export { type VaultSample, viewVaultSample } from './vault-sample.ts';
export {
  keptPrice,
  keptSharePrices,
  keptTokens,
  keptTokensPerShare,
  usdPerShare,
} from './vault-share-sample.ts';
