import type { Brand } from '../brand.ts';
import { CodedError } from '../errors.ts';

/** An amount in base units of SOL or any token, but not of cTokens or shares. */
export type Lamports = Brand<bigint, 'Lamports'>;

/** The maximum token amount. The programs also use it for "the full amount". */
export const U64_MAX = 0xffff_ffff_ffff_ffffn;

export function toLamports(amount: bigint): Lamports {
  if (amount < 0n || amount > U64_MAX) {
    throw new CodedError('MATH_OVERFLOW', { what: 'amount', bits: 64 });
  }
  return amount as Lamports;
}
