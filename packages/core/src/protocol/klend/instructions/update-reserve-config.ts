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

/** What can be changed of a reserve, at the number that stands for it in `mode`. */
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
  'UpdateRewardsAmountPerSlot',
  'UpdateReservePermissionedOps',
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
    /** Builds up to 1.16 do without it and ignore it. */
    instructionSysvarAccount: read,
  },
  args: { mode: u8 },
  list: { count: u32, item: u8 },
});

const VALUE_OFFSET = head.discriminator.length + u8.size + u32.size;

type Args = { readonly mode: typeof u8; readonly skipConfigIntegrityValidation: typeof u8 };
type Value = { readonly count: typeof u32; readonly item: typeof u8 };

/**
 * Changes one setting of a reserve, by the owner of its market; a few are the global admin's. The list is
 * the new value as its field holds it; what stands behind that is ignored. Interest is accrued first, and
 * the reserve is stale afterwards. The last argument is for a reserve that nobody uses yet.
 */
export const updateReserveConfig: InstructionCodec<typeof head.slots, Args, Value> = {
  ...head,
  build(program, call) {
    const built = head.build(program, call);
    const last = Uint8Array.of(call.args.skipConfigIntegrityValidation);
    return { ...built, data: concatBytes([built.data, last]) };
  },
  decode(program, found) {
    const call = head.decode(program, found);
    const skipConfigIntegrityValidation = found.data[VALUE_OFFSET + call.list.length];
    if (skipConfigIntegrityValidation === undefined) {
      const what = `${head.name} instruction`;
      throw new CodedError('MALFORMED_DATA', { what, reason: 'its data is cut short' });
    }
    return { ...call, args: { ...call.args, skipConfigIntegrityValidation } };
  },
};
