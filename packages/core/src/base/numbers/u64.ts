import { CodedError } from '../errors.ts';
import { U64_MAX } from './lamports.ts';

/** A count of shares or cTokens; out of 64 bits is refused, where the programs stop too. */
export function toU64(value: bigint, what: string): bigint {
  if (value < 0n || value > U64_MAX) throw new CodedError('MATH_OVERFLOW', { what, bits: 64 });
  return value;
}
