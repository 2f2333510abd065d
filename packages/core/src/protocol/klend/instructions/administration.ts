import { lamports } from '../../../base/encoding/branded-fields.ts';
import { concatBytes } from '../../../base/encoding/bytes.ts';
import { u8, u32, u64 } from '../../../base/encoding/layout.ts';
import { CodedError } from '../../../base/errors.ts';
import {
  type InstructionCodec,
  instruction,
  optionalWrite,
  read,
  sign,
  signWrite,
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

/** Starts the margin call of a loan. After it, anyone can liquidate the loan down to the LTV. 255 ends it. */
export const markObligationForDeleveraging = instruction({
  name: 'markObligationForDeleveraging',
  discriminator: 'a423b6130074f37f',
  accounts: {
    lendingMarketOwner: sign,
    obligation: write,
    lendingMarket: read,
    instructionSysvarAccount: read,
  },
  args: { autodeleverageTargetLtvPct: u8 },
});

/**
 * Returns the cTokens of a ticket that could not be paid, because its destination was closed or given away. Anyone can send
 * them to the owner's associated account, the owner to any of its accounts. Closes the ticket.
 */
export const recoverInvalidTicketCollateral = instruction({
  name: 'recoverInvalidTicketCollateral',
  discriminator: '1c30b0669fced2f6',
  accounts: {
    payer: sign,
    lendingMarket: read,
    lendingMarketAuthority: read,
    reserve: read,
    reserveCollateralMint: read,
    ownerQueuedCollateralVault: write,
    userSourceCollateral: write,
    collateralTokenProgram: read,
    withdrawTicket: write,
    withdrawTicketOwner: write,
    instructionSysvarAccount: read,
  },
  args: { ticketSequenceNumber: u64 },
});

/** Moves the protocol's part of the interest from the reserve to its fee vault. Anyone can call it. */
export const redeemFees = instruction({
  name: 'redeemFees',
  discriminator: 'd727b429ad2ef8dc',
  accounts: {
    reserve: write,
    reserveLiquidityMint: read,
    reserveLiquidityFeeReceiver: write,
    reserveSupplyLiquidity: write,
    lendingMarket: read,
    lendingMarketAuthority: read,
    tokenProgram: read,
  },
  args: {},
});

export const socializeLossAccounts = {
  lendingMarketOwner: sign,
  obligation: write,
  lendingMarket: read,
  reserve: write,
  instructionSysvarAccount: read,
};

/** Forgives debt of an obligation without deposits at the expense of the reserve's lenders. */
export const socializeLoss = instruction({
  name: 'socializeLoss',
  discriminator: 'f54b5b00ec611303',
  accounts: socializeLossAccounts,
  args: { liquidityAmount: lamports },
});

export const socializeLossV2 = instruction({
  name: 'socializeLossV2',
  discriminator: 'ee5f62dcbb28cc9a',
  accounts: {
    ...socializeLossAccounts,
    obligationFarmUserState: optionalWrite,
    reserveFarmState: optionalWrite,
    lendingMarketAuthority: read,
    farmsProgram: read,
  },
  args: { liquidityAmount: lamports },
});

/** Adds to the rewards that a reserve distributes to its lenders. Anyone can pay for them. */
export const topupReserveRewards = instruction({
  name: 'topupReserveRewards',
  discriminator: '3fff82d36ed858ad',
  accounts: {
    signer: sign,
    lendingMarket: read,
    reserve: write,
    reserveLiquidityMint: read,
    reserveLiquiditySupply: write,
    sourceLiquidity: write,
    liquidityTokenProgram: read,
  },
  args: { amount: lamports },
});

/** Moves tokens from a reserve's fee vault to the fee collector of the global config. Anyone can call it. */
export const withdrawProtocolFee = instruction({
  name: 'withdrawProtocolFee',
  discriminator: '9ec99ebd215da267',
  accounts: {
    globalConfig: read,
    lendingMarket: read,
    reserve: read,
    reserveLiquidityMint: read,
    lendingMarketAuthority: read,
    feeVault: write,
    feeCollectorAta: write,
    tokenProgram: read,
    instructionSysvarAccount: read,
  },
  args: { amount: lamports },
});

/** Pays a referrer its fees of one reserve, as far as the reserve has liquidity. */
export const withdrawReferrerFees = instruction({
  name: 'withdrawReferrerFees',
  discriminator: 'ab7679c9e98c17e4',
  accounts: {
    referrer: signWrite,
    referrerTokenState: write,
    reserve: write,
    reserveLiquidityMint: read,
    reserveSupplyLiquidity: write,
    referrerTokenAccount: write,
    lendingMarket: read,
    lendingMarketAuthority: read,
    tokenProgram: read,
  },
  args: {},
});
