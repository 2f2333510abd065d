import { lamports, sf, unixSeconds } from '../../../base/encoding/branded-fields.ts';
import { eachByte, flag, upTo } from '../../../base/encoding/known-values.ts';
import {
  array,
  bytes,
  type Decoded,
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
import { bigFraction, lastUpdate } from './reserve.ts';

/** Also the arguments of `setObligationOrder`. */
export const obligationOrderFields = {
  conditionThresholdSf: sf,
  opportunityParameterSf: sf,
  minExecutionBonusBps: u16,
  maxExecutionBonusBps: u16,
  conditionType: upTo(u8, 6),
  opportunityType: upTo(u8, 1),
  padding1: padding(10),
  padding2: padding(80),
};

export const obligationOrder = struct(obligationOrderFields);

export const borrowOrder = struct({
  debtLiquidityMint: pubkey,
  remainingDebtAmount: lamports,
  filledDebtDestination: pubkey,
  minDebtTermSeconds: u64,
  fillableUntilTimestamp: unixSeconds,
  placedAtTimestamp: unixSeconds,
  lastUpdatedAtTimestamp: unixSeconds,
  requestedDebtAmount: lamports,
  maxBorrowRateBps: u32,
  active: flag(u8),
  enableAutoRolloverOnFilledBorrows: flag(u8),
  padding1: padding(2),
  endPadding: padding(40),
});

/** A deposit. An unused entry has the zero address. Used entries can have gaps. */
export const obligationCollateral = struct({
  depositReserve: pubkey,
  /** In cTokens. */
  depositedAmount: u64,
  marketValueSf: sf,
  borrowedAmountAgainstThisCollateralInElevationGroup: lamports,
  padding: padding(72),
});

export const fixedTermBorrowRolloverConfig = struct({
  autoRolloverEnabled: flag(u8),
  openTermAllowed: flag(u8),
  migrationToFixedEnabled: flag(u8),
  fixedTermRolloverWindowDurationDays: u8,
  maxBorrowRateBps: u32,
  minDebtTermSeconds: u64,
});

/** A debt. An unused entry has the zero address. */
export const obligationLiquidity = struct({
  borrowReserve: pubkey,
  cumulativeBorrowRateBsf: bigFraction,
  lastBorrowedAtTimestamp: unixSeconds,
  /** At the rate `cumulativeBorrowRateBsf`. */
  borrowedAmountSf: sf,
  marketValueSf: sf,
  borrowFactorAdjustedMarketValueSf: sf,
  borrowedAmountOutsideElevationGroups: lamports,
  fixedTermBorrowRolloverConfig,
  borrowedAmountAtExpiration: lamports,
  padding2: padding(32),
});

/** The deposits and debts of one owner in one market. Values are in USD. */
export const obligation = account({
  name: 'klend.Obligation',
  owners: KLEND_PROGRAMS,
  discriminator: 'a8ce8d6a584caca7',
  fields: {
    /** The kind of position, see `obligationAddress`. */
    tag: u64,
    lastUpdate,
    lendingMarket: pubkey,
    owner: pubkey,
    deposits: array(obligationCollateral, 8),
    lowestReserveDepositLiquidationLtv: u64,
    depositedValueSf: sf,
    borrows: array(obligationLiquidity, 5),
    borrowFactorAdjustedDebtValueSf: sf,
    borrowedAssetsMarketValueSf: sf,
    allowedBorrowValueSf: sf,
    unhealthyBorrowValueSf: sf,
    /** 255 for an unused deposit or borrow. A used one has 0, or up to 2 in loans of the releases that had asset tiers. */
    paddingDeprecatedAssetTiers: eachByte(bytes(13), (tier) => tier <= 2 || tier === 255),
    elevationGroup: upTo(u8, 32),
    numOfObsoleteDepositReserves: u8,
    hasDebt: flag(u8),
    referrer: pubkey,
    borrowingDisabled: flag(u8),
    autodeleverageTargetLtvPct: u8,
    lowestReserveDepositMaxLtvPct: u8,
    numOfObsoleteBorrowReserves: u8,
    /** 0 is none, 1 initiated, 2 approved. */
    ownershipTransferState: upTo(u8, 2),
    reserved: padding(3),
    highestBorrowFactorPct: u64,
    autodeleverageMarginCallStartedTimestamp: unixSeconds,
    obligationOrders: array(obligationOrder, 2),
    headBorrowOrder: borrowOrder,
    pendingOwner: pubkey,
    tailBorrowOrders: array(borrowOrder, 2),
    padding3: padding(232),
  },
});

export type Obligation = Decoded<typeof obligation>;
export type ObligationView = View<typeof obligation>;
