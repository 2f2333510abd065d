/** Account layouts, math, operations, instructions and events of the programs. Pure, no I/O. */

export * from '../base/encoding/address.ts';
export { decodeBase58, encodeBase58 } from '../base/encoding/base58.ts';
export { decodeBase64, encodeBase64 } from '../base/encoding/base64.ts';
export { bytesToText } from '../base/encoding/bytes.ts';
export type { Decoded, Elements, View } from '../base/encoding/layout.ts';
export { CodedError, type ErrorCode, hasCode } from '../base/errors.ts';
export { aprToApy } from '../base/numbers/apy.ts';
export * from '../base/numbers/big-scaled-fraction.ts';
export * from '../base/numbers/decimal.ts';
export * from '../base/numbers/lamports.ts';
export * from '../base/numbers/scaled-fraction.ts';
export type { AccountCodec, RawAccount } from '../base/solana/account.ts';
export type {
  AccountMeta,
  Instruction,
  InstructionCodec,
  Role,
} from '../base/solana/instruction.ts';
export { findProgramAddress, type ProgramAddress } from '../base/solana/pda.ts';
export type { ProgramError } from '../base/solana/program-errors.ts';
export * from '../base/time.ts';
export * as farms from './farms/index.ts';
export * as klend from './klend/index.ts';
export * as kvault from './kvault/index.ts';
export * from './releases/index.ts';
export * as scope from './scope/index.ts';
export * as spl from './spl/index.ts';
