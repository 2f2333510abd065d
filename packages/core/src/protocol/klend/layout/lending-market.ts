import { lamports, sf } from '../../../base/encoding/branded-fields.ts';
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
  allowNewLoans: u8,
  maxReservesAsCollateral: u8,
  padding0: u8,
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
    emergencyMode: u8,
    autodeleverageEnabled: u8,
    borrowDisabled: u8,
    priceRefreshTriggerToMaxAgePct: u8,
    liquidationMaxDebtCloseFactorPct: u8,
    insolvencyRiskUnhealthyLtvPct: u8,
    minFullLiquidationValueThreshold: u64,
    maxLiquidatableDebtMarketValueAtOnce: u64,
    reserved0: padding(8),
    /** In whole USD, like all values of the market that are not fractions. */
    globalAllowedBorrowValue: u64,
    emergencyCouncil: pubkey,
    reserved1: padding(8),
    elevationGroups: array(elevationGroup, 32),
    elevationGroupPadding: padding(720),
    minNetValueInObligationSf: sf,
    minValueSkipLiquidationLtvChecks: u64,
    name: bytes(32),
    minValueSkipLiquidationBfChecks: u64,
    individualAutodeleverageMarginCallPeriodSecs: u64,
    minInitialDepositAmount: lamports,
    obligationOrderExecutionEnabled: u8,
    immutable: u8,
    obligationOrderCreationEnabled: u8,
    priceTriggeredLiquidationDisabled: u8,
    matureReserveDebtLiquidationEnabled: u8,
    obligationBorrowDebtTermLiquidationEnabled: u8,
    borrowOrderCreationEnabled: u8,
    borrowOrderExecutionEnabled: u8,
    proposerAuthority: pubkey,
    minBorrowOrderFillValue: u64,
    withdrawTicketIssuanceEnabled: u8,
    withdrawTicketRedemptionEnabled: u8,
    obligationBorrowRolloverConfigurationEnabled: u8,
    obligationBorrowMigrationToFixedExecutionEnabled: u8,
    withdrawTicketCancellationEnabled: u8,
    disableNonceBlock: u8,
    /** The maximum APR of the reserves' rewards. 0 disables them. */
    reserveRewardsMaxAprBps: u16,
    minWithdrawQueuedLiquidityValue: u64,
    fixedTermRolloverWindowDurationSeconds: u64,
    openTermRolloverWindowDurationSeconds: u64,
    minPartialRolloverValue: u64,
    termBasedFullLiquidationDurationSecs: u64,
    permissioningAuthority: pubkey,
    /** Bits of `PERMISSIONED_OPERATIONS`. */
    permissionedOps: u64,
    padding1: padding(1224),
  },
});

export type LendingMarket = Decoded<typeof lendingMarket>;
export type LendingMarketView = View<typeof lendingMarket>;
