import { lamports, sf64, unixSeconds } from '../../../base/encoding/branded-fields.ts';
import { flag, upTo } from '../../../base/encoding/known-values.ts';
import {
  array,
  bytes,
  i64,
  padding,
  struct,
  u8,
  u16,
  u32,
  u64,
} from '../../../base/encoding/layout.ts';
import { tokenInfo } from './token-info.ts';

export const reserveFees = struct({
  originationFeeSf: sf64,
  /** All bits set disables flash loans. */
  flashLoanFeeSf: sf64,
  padding: padding(8),
});

/** The last used point is repeated up to eleven points. */
export const curvePoint = struct({
  utilizationRateBps: u32,
  borrowRateBps: u32,
});

export const borrowRateCurve = struct({
  points: array(curvePoint, 11),
});

/** The maximum net outflow per interval. An interval of 0 means no cap. */
export const withdrawalCaps = struct({
  configCapacity: i64,
  currentTotal: i64,
  lastIntervalStartTimestamp: unixSeconds,
  configIntervalLengthSeconds: u64,
});

export const reserveConfig = struct({
  /** 0 is active, 1 obsolete, 2 hidden. */
  status: upTo(u8, 2),
  /** 0 to 2 in reserves of the releases that had asset tiers. */
  paddingDeprecatedAssetTier: upTo(u8, 2),
  /** Added to the rate of the curve on every loan. The host receives all of it. */
  hostFixedInterestRateBps: u16,
  minDeleveragingBonusBps: u16,
  blockCtokenUsage: flag(u8),
  earlyRepayRemainingInterestPct: u8,
  emergencyMode: flag(u8),
  /** 0 charges interest per slot, 1 per second (TrueApr). See `accrualDuration`. */
  interestRateBasis: upTo(u8, 1),
  reserved1: padding(3),
  protocolOrderExecutionFeePct: u8,
  protocolTakeRatePct: u8,
  protocolLiquidationFeePct: u8,
  loanToValuePct: u8,
  liquidationThresholdPct: u8,
  minLiquidationBonusBps: u16,
  maxLiquidationBonusBps: u16,
  badDebtLiquidationBonusBps: u16,
  deleveragingMarginCallPeriodSecs: u64,
  deleveragingThresholdDecreaseBpsPerDay: u64,
  fees: reserveFees,
  borrowRateCurve,
  /** At least 100. */
  borrowFactorPct: u64,
  depositLimit: lamports,
  borrowLimit: lamports,
  tokenInfo,
  depositWithdrawalCap: withdrawalCaps,
  debtWithdrawalCap: withdrawalCaps,
  /** The ids of the reserve's elevation groups. 0 is unused. */
  elevationGroups: bytes(20),
  disableUsageAsCollOutsideEmode: flag(u8),
  utilizationLimitBlockBorrowingAbovePct: u8,
  autodeleverageEnabled: flag(u8),
  proposerAuthorityLocked: flag(u8),
  borrowLimitOutsideElevationGroup: lamports,
  /** The group with id i has index i - 1. */
  borrowLimitAgainstThisCollateralInElevationGroup: array(lamports, 32),
  deleveragingBonusIncreaseBpsPerDay: u64,
  debtMaturityTimestamp: unixSeconds,
  debtTermSeconds: u64,
  /** Per slot or second, see `distributedRewards`. */
  rewardsAmountPerAccrualUnit: lamports,
  /** Bits of `PERMISSIONED_OPERATIONS`. */
  permissionedOps: upTo(u64, 7),
});
