import { lamports, sf } from '../../../base/encoding/branded-fields.ts';
import { flag, reserved, upTo } from '../../../base/encoding/known-values.ts';
import {
  array,
  bytes,
  type Decoded,
  padding,
  pubkey,
  struct,
  u8,
  u16,
  u64,
  type View,
} from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
import { KLEND_PROGRAMS } from '../program.ts';

/** Better terms for loans of one token against related collateral. Id 0 is unused, otherwise the index is id - 1. */
export const elevationGroup = struct({
  maxLiquidationBonusBps: u16,
  id: u8,
  ltvPct: u8,
  liquidationThresholdPct: u8,
  allowNewLoans: flag(u8),
  maxReservesAsCollateral: u8,
  padding0: reserved(u8),
  debtReserve: pubkey,
  padding1: padding(32),
});

export const lendingMarket = account({
  name: 'klend.LendingMarket',
  owners: KLEND_PROGRAMS,
  discriminator: 'f6723262489d1c78',
  versions: [1n],
  fields: {
    version: u64,
    bumpSeed: u64,
    lendingMarketOwner: pubkey,
    lendingMarketOwnerCached: pubkey,
    quoteCurrency: bytes(32),
    /** The referrers' part of the protocol fees. */
    referralFeeBps: u16,
    emergencyMode: flag(u8),
    autodeleverageEnabled: flag(u8),
    borrowDisabled: flag(u8),
    priceRefreshTriggerToMaxAgePct: u8,
    liquidationMaxDebtCloseFactorPct: u8,
    insolvencyRiskUnhealthyLtvPct: u8,
    minFullLiquidationValueThreshold: u64,
    maxLiquidatableDebtMarketValueAtOnce: u64,
    /** Unused since release 1. Markets of 2024 have their former limit of the unhealthy borrow value here. */
    reserved0: bytes(8),
    /** In whole USD, like all values of the market that are not fractions. */
    globalAllowedBorrowValue: u64,
    emergencyCouncil: pubkey,
    /** Unused since release 1. Markets of 2024 have their former boosts of points here, one byte per kind of loan. */
    reserved1: bytes(8),
    elevationGroups: array(elevationGroup, 32),
    elevationGroupPadding: padding(720),
    minNetValueInObligationSf: sf,
    minValueSkipLiquidationLtvChecks: u64,
    name: bytes(32),
    minValueSkipLiquidationBfChecks: u64,
    individualAutodeleverageMarginCallPeriodSecs: u64,
    minInitialDepositAmount: lamports,
    obligationOrderExecutionEnabled: flag(u8),
    immutable: flag(u8),
    obligationOrderCreationEnabled: flag(u8),
    priceTriggeredLiquidationDisabled: flag(u8),
    matureReserveDebtLiquidationEnabled: flag(u8),
    obligationBorrowDebtTermLiquidationEnabled: flag(u8),
    borrowOrderCreationEnabled: flag(u8),
    borrowOrderExecutionEnabled: flag(u8),
    proposerAuthority: pubkey,
    minBorrowOrderFillValue: u64,
    withdrawTicketIssuanceEnabled: flag(u8),
    withdrawTicketRedemptionEnabled: flag(u8),
    obligationBorrowRolloverConfigurationEnabled: flag(u8),
    obligationBorrowMigrationToFixedExecutionEnabled: flag(u8),
    withdrawTicketCancellationEnabled: flag(u8),
    disableNonceBlock: flag(u8),
    /** The maximum APR of the reserves' rewards. 0 disables them. */
    reserveRewardsMaxAprBps: u16,
    minWithdrawQueuedLiquidityValue: u64,
    fixedTermRolloverWindowDurationSeconds: u64,
    openTermRolloverWindowDurationSeconds: u64,
    minPartialRolloverValue: u64,
    termBasedFullLiquidationDurationSecs: u64,
    permissioningAuthority: pubkey,
    /** Bits of `PERMISSIONED_OPERATIONS`. */
    permissionedOps: upTo(u64, 7),
    padding1: padding(1224),
  },
});

export type LendingMarket = Decoded<typeof lendingMarket>;
export type LendingMarketView = View<typeof lendingMarket>;
