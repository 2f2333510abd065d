export { DAY_SECONDS, formatInstant, isDate, startOfDate } from './calendar.ts';
export {
  type Address,
  addressFromBytes,
  addressToBytes,
  orNone,
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
  bytesOfText,
  bytesToHex,
  concatBytes,
  textOfBytes,
} from './encoding/bytes.ts';
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
  u64,
} from './encoding/layout.ts';
export { splitCredentials, unescaped } from './encoding/url-credentials.ts';
export {
  CodedError,
  describeFailure,
  type ErrorCode,
  hasCode,
  type Issue,
  type JsonData,
} from './errors.ts';
export type { Logger } from './logger.ts';
export { type Bsf, bsfFromBits, ONE_BSF } from './numbers/big-scaled-fraction.ts';
export {
  formatRatio,
  formatUnits,
  LIVE_DIGITS,
  parseDecimal,
  type Ratio,
  ratio,
  SERIES_DIGITS,
} from './numbers/decimal.ts';
export { WAD } from './numbers/decimal-wad.ts';
export { ratioOfScaled } from './numbers/fixed-decimal.ts';
export { type Lamports, toLamports, U64_MAX } from './numbers/lamports.ts';
export {
  addRatio,
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
export type { Account, RawAccount } from './solana/account.ts';
export { CLOCK_ADDRESS, clock, decodeClock } from './solana/clock-sysvar.ts';
export type { ClusterAccount, Commitment, NamedAccount } from './solana/cluster-account.ts';
export {
  type AccountMeta,
  type DecodedCall,
  type FoundCall,
  type Instruction,
  type InstructionCodec,
  type List,
  READ,
  type Role,
  SIGN,
  type Slots,
  WRITE,
} from './solana/instruction.ts';
export { programInstructions, type ReadingCodec } from './solana/instruction-set.ts';
export type { LatestBlockhash } from './solana/latest-blockhash.ts';
export { findProgramAddress, type ProgramAddress, u64Seed } from './solana/pda.ts';
export type { ProgramError } from './solana/program-errors.ts';
export type { Simulation } from './solana/simulation-result.ts';
export { type ChainTime, type Slot, toSlot, toUnixSeconds, type UnixSeconds } from './time.ts';
export {
  type AskedSeries,
  bucketStart,
  bucketStarts,
  countBuckets,
  type Frequency,
  frequencyOfRange,
  isEmptyRange,
  overlap,
  type RangeLimits,
  type SeriesExcess,
  seriesCost,
  type TimeRange,
} from './time-range.ts';
