import { type ProgramError, programErrors } from '../../base/solana/program-errors.ts';
import { anchorError } from '../spl/anchor-errors.ts';

const errors = programErrors('scope', {
  IntegerOverflow: [6000, 'Integer overflow'],
  ConversionFailure: [6001, 'Conversion failure'],
  MathOverflow: [6002, 'Mathematical operation with overflow'],
  OutOfRangeIntegralConversion: [6003, 'Out of range integral conversion attempted'],
  UnexpectedAccount: [6004, 'Unexpected account in instruction'],
  PriceNotValid: [6005, 'Price is not valid'],
  AccountsAndTokenMismatch: [
    6006,
    'The number of tokens is different from the number of received accounts',
  ],
  BadTokenNb: [6007, 'The token index received is out of range'],
  BadTokenType: [6008, 'The token type received is invalid'],
  SwitchboardV2Error: [6009, 'There was an error with the Switchboard V2 retrieval'],
  InvalidAccountDiscriminator: [6010, 'Invalid account discriminator'],
  UnableToDeserializeAccount: [6011, 'Unable to deserialize account'],
  BadScopeChainOrPrices: [6012, 'Error while computing price with ScopeChain'],
  RefreshInCPI: [6013, 'Refresh price instruction called in a CPI'],
  RefreshWithUnexpectedIxs: [6014, 'Refresh price instruction preceded by unexpected ixs'],
  InvalidUpdateSequenceOrAccounts: [6015, 'Invalid update sequence or accounts'],
  UnableToDerivePDA: [6016, 'Unable to derive PDA address'],
  BadTimestamp: [6017, 'Invalid timestamp'],
  BadSlot: [6018, 'Invalid slot'],
  PriceAccountNotExpected: [6019, 'Received a price account when none is expected'],
  TwapSourceIndexOutOfRange: [6020, 'TWAP source index out of range'],
  TwapSampleTooFrequent: [6021, 'TWAP sample is too close to the previous one'],
  UnexpectedJlpConfiguration: [6022, 'Unexpected JLP configuration'],
  TwapNotEnoughSamplesInPeriod: [6023, 'Not enough price samples in period to compute TWAP'],
  EmptyTokenList: [6024, 'The provided token list to refresh is empty'],
  StakeFeeTooHigh: [6025, 'The stake pool fee is higher than the maximum allowed'],
  KTokenUnderlyingPriceNotValid: [
    6026,
    'Cannot get a valid price for the tokens composing the Ktoken',
  ],
  KTokenHoldingsCalculationError: [6027, 'Error while computing the Ktoken pool holdings'],
  CannotResizeAccount: [6028, 'Cannot resize the account we only allow it to grow in size'],
  FixedPriceInvalid: [6029, 'The provided fixed price is invalid'],
  SwitchboardOnDemandError: [6030, 'Switchboard On Demand price derive error'],
  ConfidenceIntervalCheckFailed: [6031, 'Confidence interval check failed'],
  InvalidGenericData: [6032, 'Invalid generic data'],
  NoChainlinkReportData: [6033, 'No valid Chainlink report data found'],
  InvalidChainlinkReportData: [6034, 'Invalid Chainlink report data format'],
  OracleConfigInvalidSourceIndices: [
    6035,
    'Oracle config must contain at least one valid source index',
  ],
  MostRecentOfInvalidMaxDivergence: [6036, 'Invalid max divergence (bps) for MostRecentOf oracle'],
  CompositeOracleInvalidMaxAge: [6037, 'Invalid max age (s) for composite oracle'],
  CompositeOracleMaxAgeViolated: [6038, 'Max age constraint violated for composite oracle'],
  MostRecentOfMaxDivergenceBpsViolated: [
    6039,
    'Max divergence bps constraint violated for MostRecentOf oracle',
  ],
  PythLazerVerifyIxFailed: [6040, 'The invoked pyth lazer verify instruction failed'],
  PythLazerInvalidFeedID: [6041, 'Invalid feed id passed in to PythLazer oracle'],
  PythLazerInvalidExponent: [6042, 'Invalid exponent passed in to PythLazer oracle'],
  PythLazerInvalidConfidenceFactor: [
    6043,
    'Invalid confidence factor passed in to PythLazer oracle',
  ],
  PythLazerInvalidMessagePayload: [
    6044,
    'Received an invalid message payload in the PythLazer oracle when refreshing price',
  ],
  PythLazerInvalidChannel: [
    6045,
    'Received an invalid channel in the PythLazer payload when refreshing price',
  ],
  PythLazerInvalidFeedsLength: [
    6046,
    'Payload should have a single feed in the PythLazer payload when refreshing price',
  ],
  PythLazerInvalidFeedId: [6047, 'Invalid feed id in the PythLazer payload when refreshing price'],
  PythLazerPriceNotPresent: [
    6048,
    'Property fields in the feed of the PythLazer payload do not contain a price',
  ],
  PythLazerBestBidPriceNotPresent: [
    6049,
    'Property fields in the feed of the PythLazer payload do not contain a best bid price',
  ],
  PythLazerBestAskPriceNotPresent: [
    6050,
    'Property fields in the feed of the PythLazer payload do not contain a best ask price',
  ],
  PythLazerInvalidAskBidPrices: [
    6051,
    'Invalid ask/bid prices provided in the feed of the PythLazer payload',
  ],
  ExpectedPriceAccount: [6052, 'Price account expected when updating mapping'],
  WrongAccountOwner: [6053, 'Provided account has a different owner than expected'],
  CompositeOracleInvalidSourceIndex: [6054, 'Provided source index is invalid'],
  CappedFlooredBothCapAndFloorAreNone: [
    6055,
    "Can't set both cap and floor to None for CappedFloored oracle",
  ],
  MissingPriceAccount: [6056, 'Missing price account for Oracle Mapping update'],
  ChainlinkXPriceNotSuspended: [6057, 'Cannot resume a ChainlinkX price that was not suspended'],
  OutsideMarketHours: [6058, 'Price update rejected as outside of market hours'],
  PythLazerExponentNotPresent: [
    6059,
    'Property fields in the feed of the PythLazer payload do not contain an exponent',
  ],
  PythLazerUnexpectedExponent: [
    6060,
    'The exponent provided in the feed of the PythLazer payload is not the expected one',
  ],
  InvalidConversionToEmaTypeForOracleType: [6061, 'Cannot convert oracle type to EMA type'],
  TwapEnabledBitmaskConversionFailure: [6062, 'Invalid TWAP enabled bitmask value'],
  OperationNotSupported: [6063, 'This operation is not supported'],
  TwapSourceIndexNotSet: [6064, 'TWAP source index not set'],
  PythLazerFeedUpdateTimestampNotPresent: [
    6065,
    'Property fields in the feed of the PythLazer payload do not contain a feed update timestamp',
  ],
  PriceFrozen: [6066, 'Cannot update a frozen price entry'],
  PriceAlreadyFrozen: [6067, 'Price entry is already frozen'],
  PriceNotFrozen: [6068, 'Price entry is not frozen'],
  UnauthorizedFreeze: [6069, 'Signer is not authorized to freeze/unfreeze'],
  PythLazerEmaPriceNotPresent: [
    6070,
    'Property fields in the feed of the PythLazer payload do not contain an EMA price',
  ],
  PythLazerEmaConfidenceNotPresent: [
    6071,
    'Property fields in the feed of the PythLazer payload do not contain an EMA confidence',
  ],
  PythLazerEmaNotEnabledOnSource: [6072, 'PythLazerEMA source entry does not have EMA enabled'],
  UnauthorizedResume: [6073, 'Signer is not authorized to resume'],
  PythLazerConfidenceNotPresent: [
    6074,
    'Property fields in the feed of the PythLazer payload do not contain a confidence',
  ],
  KlendCTokenExchangeRateCPIError: [6075, 'Klend cToken exchange rate CPI call failed'],
  KlendReserveDeprecated: [
    6076,
    'Klend reserve version does not match the expected program version (deprecated reserve)',
  ],
});

/** The errors of the program and of Anchor, which are below 6000. */
export const scopeError = (code: number): ProgramError | undefined =>
  errors.byCode(code) ?? anchorError(code);

export const scopeRejection = errors.rejection;
