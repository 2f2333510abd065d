import { concatBytes } from '../../../base/encoding/bytes.ts';
import { u8, u32 } from '../../../base/encoding/layout.ts';
import { CodedError } from '../../../base/errors.ts';
import {
  type InstructionCodec,
  instruction,
  read,
  sign,
  write,
} from '../../../base/solana/instruction.ts';

/** The settings of a reserve. The index is the value of `mode`. */
export const reserveConfigModes = [
  'UpdateLoanToValuePct',
  'UpdateMaxLiquidationBonusBps',
  'UpdateLiquidationThresholdPct',
  'UpdateProtocolLiquidationFee',
  'UpdateProtocolTakeRate',
  'UpdateFeesOriginationFee',
  'UpdateFeesFlashLoanFee',
  'DeprecatedUpdateFeesReferralFeeBps',
  'UpdateDepositLimit',
  'UpdateBorrowLimit',
  'UpdateTokenInfoLowerHeuristic',
  'UpdateTokenInfoUpperHeuristic',
  'UpdateTokenInfoExpHeuristic',
  'UpdateTokenInfoTwapDivergence',
  'UpdateTokenInfoScopeTwap',
  'UpdateTokenInfoScopeChain',
  'UpdateTokenInfoName',
  'UpdateTokenInfoPriceMaxAge',
  'UpdateTokenInfoTwapMaxAge',
  'UpdateScopePriceFeed',
  'UpdatePythPrice',
  'UpdateSwitchboardFeed',
  'UpdateSwitchboardTwapFeed',
  'UpdateBorrowRateCurve',
  'DeprecatedUpdateEntireReserveConfig',
  'UpdateDebtWithdrawalCap',
  'UpdateDepositWithdrawalCap',
  'DeprecatedUpdateDebtWithdrawalCapCurrentTotal',
  'DeprecatedUpdateDepositWithdrawalCapCurrentTotal',
  'UpdateBadDebtLiquidationBonusBps',
  'UpdateMinLiquidationBonusBps',
  'UpdateDeleveragingMarginCallPeriod',
  'UpdateBorrowFactor',
  'DeprecatedUpdateAssetTier',
  'UpdateElevationGroup',
  'UpdateDeleveragingThresholdDecreaseBpsPerDay',
  'DeprecatedUpdateMultiplierSideBoost',
  'DeprecatedUpdateMultiplierTagBoost',
  'UpdateReserveStatus',
  'UpdateFarmCollateral',
  'UpdateFarmDebt',
  'UpdateDisableUsageAsCollateralOutsideEmode',
  'UpdateBlockBorrowingAboveUtilizationPct',
  'UpdateBlockPriceUsage',
  'UpdateBorrowLimitOutsideElevationGroup',
  'UpdateBorrowLimitsInElevationGroupAgainstThisReserve',
  'UpdateHostFixedInterestRateBps',
  'UpdateAutodeleverageEnabled',
  'UpdateDeleveragingBonusIncreaseBpsPerDay',
  'UpdateProtocolOrderExecutionFee',
  'UpdateProposerAuthorityLock',
  'UpdateMinDeleveragingBonusBps',
  'UpdateBlockCTokenUsage',
  'UpdateDebtMaturityTimestamp',
  'UpdateDebtTermSeconds',
  'UpdateEarlyRepayRemainingInterestPct',
  'UpdateReserveEmergencyMode',
  'UpdateRewardsAmountPerAccrualUnit',
  'UpdateReservePermissionedOps',
  'UpdateInterestRateBasis',
] as const;

export type ReserveConfigMode = (typeof reserveConfigModes)[number];

const head = instruction({
  name: 'updateReserveConfig',
  discriminator: '3d9464468f6b110d',
  accounts: {
    signer: sign,
    globalConfig: read,
    lendingMarket: read,
    reserve: write,
    /** Releases before 1.24 neither require nor read it. */
    instructionSysvarAccount: read,
  },
  args: { mode: u8 },
  list: { count: u32, item: u8 },
});

const VALUE_OFFSET = head.discriminator.length + u8.size + u32.size;

type Args = { readonly mode: typeof u8; readonly skipConfigIntegrityValidation: typeof u8 };
type Value = { readonly count: typeof u32; readonly item: typeof u8 };

/**
 * Changes one setting of a reserve. The signer is the market owner, or for a few settings the global admin. The list
 * is the encoded new value; trailing bytes are ignored. Accrues interest first and marks the reserve stale. The last
 * argument is only allowed for a reserve without any use.
 */
export const updateReserveConfig: InstructionCodec<typeof head.accounts, Args, Value> = {
  ...head,
  build(program, call) {
    const built = head.build(program, call);
    const last = Uint8Array.of(call.args.skipConfigIntegrityValidation);
    return { ...built, data: concatBytes([built.data, last]) };
  },
  decode(program, raw) {
    const call = head.decode(program, raw);
    const skipConfigIntegrityValidation = raw.data[VALUE_OFFSET + call.list.length];
    if (skipConfigIntegrityValidation === undefined) {
      const what = `${head.name} instruction`;
      throw new CodedError('MALFORMED_DATA', { what, reason: 'its data is truncated' });
    }
    return { ...call, args: { ...call.args, skipConfigIntegrityValidation } };
  },
};
