export { DAY_SECONDS, formatInstant, isValidDate, startOfDate } from './calendar.ts';
export {
  type Address,
  addressFromBytes,
  addressToBytes,
  nonZeroAddress,
  parseAddress,
  toAddress,
  ZERO_ADDRESS,
} from './encoding/address.ts';
export { BASE58_ALPHABET, decodeBase58, encodeBase58 } from './encoding/base58.ts';
export { decodeBase64, encodeBase64 } from './encoding/base64.ts';
export { lamports } from './encoding/branded-fields.ts';
export {
  bytesEqual,
  bytesFromHex,
  bytesFromText,
  bytesToHex,
  bytesToText,
  concatBytes,
} from './encoding/bytes.ts';
export {
  cleanText,
  quoteName,
  quoteText,
  untrustedName,
  untrustedSentence,
  untrustedSymbol,
  withoutMarkup,
} from './encoding/foreign-text.ts';
export {
  type Decoded,
  type Elements,
  type Field,
  padding,
  pubkey,
  type Shape,
  type Struct,
  struct,
  u8,
  u32,
  u64,
} from './encoding/layout.ts';
export { decodeTexts, encodeTexts } from './encoding/texts.ts';
export { decodePercentEscapes, splitCredentials } from './encoding/url-credentials.ts';
export {
  CodedError,
  codeGuard,
  type ErrorCode,
  type ErrorContexts,
  type ErrorMessages,
  ErrorWithCode,
  errorMessages,
  hasCode,
  type Issue,
  type RetryAfter,
} from './errors.ts';
export { formatError } from './format-error.ts';
export type { JsonData } from './json-data.ts';
export type { Logger } from './logger.ts';
export { aprToApy } from './numbers/apy.ts';
export { aprToApyNumber } from './numbers/apy-number.ts';
export { type Bsf, bsfFromBits, ONE_BSF } from './numbers/big-scaled-fraction.ts';
export {
  formatRatio,
  formatUnits,
  LIVE_DIGITS,
  parseDecimal,
  type Ratio,
  ratio,
  ratioToNumber,
  SERIES_DIGITS,
} from './numbers/decimal.ts';
export { WAD } from './numbers/decimal-wad.ts';
export { fixedDecimalToRatio } from './numbers/fixed-decimal.ts';
export { type Lamports, toLamports, U64_MAX } from './numbers/lamports.ts';
export {
  addRatio,
  compareRatios,
  divRatioOrZero,
  mulRatio,
  ratioOfSf,
  ratioOfUnits,
  sumRatios,
  ZERO_RATIO,
} from './numbers/ratio.ts';
export {
  addSf,
  ceilSf,
  FRACTION_BITS,
  floorSf,
  formatSf,
  ONE_SF,
  type Sf,
  sfFromBits,
  sfFromBps,
  sfFromInt,
  ZERO_SF,
} from './numbers/scaled-fraction.ts';
export type { AccountCodec, RawAccount } from './solana/account.ts';
export { CLOCK_SYSVAR, clock, decodeClockSysvar } from './solana/clock-sysvar.ts';
export type { ClusterAccount, Commitment, KeyedAccount } from './solana/cluster-account.ts';
export { type EpochSchedule, epochOfSlot, epochSlots } from './solana/epoch-schedule.ts';
export {
  type AccountMeta,
  type DecodedInstruction,
  type Instruction,
  type InstructionAccountRoles,
  type InstructionCodec,
  type ListLayout,
  type RawInstruction,
  READ,
  type Role,
  SIGN,
  SIGN_WRITE,
  WRITE,
} from './solana/instruction.ts';
export { createInstructionSet, type InstructionDecoder } from './solana/instruction-set.ts';
export type { LatestBlockhash } from './solana/latest-blockhash.ts';
export { findProgramAddress, type ProgramAddress, u64Seed } from './solana/pda.ts';
export type { ProgramError } from './solana/program-errors.ts';
export type { SimulationResult } from './solana/simulation-result.ts';
export type {
  Confirmation,
  FoundTransaction,
  StatusQuery,
  TransactionStatus,
} from './solana/transaction-status.ts';
export { type ChainTime, type Slot, toSlot, toUnixSeconds, type UnixSeconds } from './time.ts';
export {
  bucketStart,
  bucketStarts,
  countBuckets,
  defaultFrequency,
  type Frequency,
  intersectRanges,
  isEmptyRange,
  type RangeLimits,
  type SeriesLimitExcess,
  type SeriesRequest,
  seriesCost,
  type TimeRange,
} from './time-range.ts';
