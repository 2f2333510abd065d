import type { Brand } from '../brand.ts';
import { CodedError } from '../errors.ts';

/** An amount in the smallest unit of a token, SOL or any other. Not an amount of cTokens or shares. */
export type Lamports = Brand<bigint, 'Lamports'>;

/** The largest amount a token can have, and the programs' word for "all of it". */
export const U64_MAX = 0xffff_ffff_ffff_ffffn;

export function toLamports(amount: bigint): Lamports {
  if (amount < 0n || amount > U64_MAX) {
    throw new CodedError('MATH_OVERFLOW', { what: 'amount', bits: 64 });
  }
  return amount as Lamports;
}
