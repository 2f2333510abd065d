import {
  bsf,
  lamports,
  sf,
  sf64,
  slot,
  unixSeconds,
} from '../../../base/encoding/branded-fields.ts';
import { bits, flag, upTo } from '../../../base/encoding/known-values.ts';
import {
  array,
  bytes,
  type Decoded,
  i64,
  padding,
  pubkey,
  struct,
  u8,
  u16,
  u32,
  u64,
  type View,
} from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
import { KLEND_PROGRAMS } from '../program.ts';

export const lastUpdate = struct({
  slot,
  /** Every operation sets it, and a refresh clears it. */
  stale: flag(u8),
  /** Bits of the passed price checks: 1 loaded, 2 age, 4 TWAP, 8 TWAP age, 16 bounds, 32 usage. All are 63. */
  priceStatus: bits(u8, 63),
  padding: padding(2),
  /** Unix time of the last update; 0 before the first one of release 1.25. */
  timestamp: u32,
});

/** 16 bytes of padding follow the 256 bits. */
export const bigFraction = struct({
  value: bsf,
  padding: padding(16),
});

/**
 * The tokens and debts of a reserve. `Sf` is the program's suffix for a value times 2^60. Fees and pending fees are
 * part of the vault's tokens and of the debt, but not of the lenders' supply.
 */
export const reserveLiquidity = struct({
  mintPubkey: pubkey,
  supplyVault: pubkey,
  feeVault: pubkey,
  /** Includes queued withdrawals. */
  totalAvailableAmount: lamports,
  borrowedAmountSf: sf,
  /** USD per whole token. */
  marketPriceSf: sf,
  marketPriceLastUpdatedTs: unixSeconds,
  mintDecimals: u64,
  depositLimitCrossedTimestamp: unixSeconds,
  borrowLimitCrossedTimestamp: unixSeconds,
  cumulativeBorrowRateBsf: bigFraction,
  accumulatedProtocolFeesSf: sf,
  accumulatedReferrerFeesSf: sf,
  pendingReferrerFeesSf: sf,
  absoluteReferralRateSf: sf,
  tokenProgram: pubkey,
  /** In the supply vault, but not yet in `totalAvailableAmount`: see `distributedRewards`. */
  rewardsAmountAvailable: lamports,
  padding2: padding(400),
  padding3: padding(512),
});

export const priceHeuristic = struct({
  lower: u64,
  upper: u64,
  exp: u64,
});

/** Indexes of the feed whose product is the price in USD. 65535 ends the chain. */
export const scopeConfiguration = struct({
  priceFeed: pubkey,
  priceChain: array(u16, 4),
  twapChain: array(u16, 4),
});

export const switchboardConfiguration = struct({
  priceAggregator: pubkey,
  twapAggregator: pubkey,
});

export const pythConfiguration = struct({
  price: pubkey,
});

export const tokenInfo = struct({
  name: bytes(32),
  heuristic: priceHeuristic,
  maxTwapDivergenceBps: u64,
  maxAgePriceSeconds: u64,
  maxAgeTwapSeconds: u64,
  scopeConfiguration,
  switchboardConfiguration,
  pythConfiguration,
  blockPriceUsage: u8,
  reserved: padding(7),
  padding: padding(152),
});

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

export const reserveCollateral = struct({
  mintPubkey: pubkey,
  /** The cTokens of the exchange rate. Can differ from the supply of the mint. */
  mintTotalSupply: u64,
  supplyVault: pubkey,
  padding1: padding(512),
  padding2: padding(512),
});

export const withdrawQueue = struct({
  /** cTokens whose liquidity has priority over other withdrawals and loans. */
  queuedCollateralAmount: u64,
  nextIssuedTicketSequenceNumber: u64,
  nextWithdrawableTicketSequenceNumber: u64,
});

/** The pool of one token in a market, with its configuration. */
export const reserve = account({
  name: 'klend.Reserve',
  owners: KLEND_PROGRAMS,
  discriminator: '2bf2ccca1af73b7f',
  versions: [1n],
  fields: {
    version: u64,
    lastUpdate,
    lendingMarket: pubkey,
    farmCollateral: pubkey,
    farmDebt: pubkey,
    liquidity: reserveLiquidity,
    reserveLiquidityPadding: padding(1200),
    collateral: reserveCollateral,
    reserveCollateralPadding: padding(1200),
    config: reserveConfig,
    configPadding: padding(896),
    borrowedAmountOutsideElevationGroup: lamports,
    /** The group with id i has index i - 1. */
    borrowedAmountsAgainstThisReserveInElevationGroups: array(lamports, 32),
    withdrawQueue,
    padding: padding(1632),
  },
});

export type Reserve = Decoded<typeof reserve>;
export type ReserveView = View<typeof reserve>;
