import { CodedError } from '../errors.ts';
import { U64_MAX } from './lamports.ts';

/** Checks that an amount of shares or cTokens fits in 64 bits. The programs fail otherwise. */
export function toU64(value: bigint, what: string): bigint {
  if (value < 0n || value > U64_MAX) throw new CodedError('MATH_OVERFLOW', { what, bits: 64 });
  return value;
}
