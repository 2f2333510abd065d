import type { Brand } from '../brand.ts';
import { CodedError } from '../errors.ts';
import { FRACTION_BITS, type Sf, sfFromBits } from './scaled-fraction.ts';

/** The lending program's big fraction, used for cumulative rates: the value times 2^60, in 256 bits. */
export type Bsf = Brand<bigint, 'Bsf'>;

const LIMIT = 1n << 256n;

export const ONE_BSF = (1n << FRACTION_BITS) as Bsf;

export function bsfFromBits(bits: bigint): Bsf {
  if (bits < 0n || bits >= LIMIT) {
    throw new CodedError('MATH_OVERFLOW', { what: 'big fraction', bits: 256 });
  }
  return bits as Bsf;
}

/** Rounded down to 60 bits. */
export const mulBsf = (a: Bsf, b: Sf): Bsf => bsfFromBits((a * b) >> FRACTION_BITS);

/** Scales `amount` from one cumulative rate to another. The product has 256 bits and is rounded down once. */
export function rescaleSf(amount: Sf, to: Bsf, from: Bsf): Sf {
  if (from === 0n) throw new CodedError('DIVISION_BY_ZERO', { what: 'debt' });
  return sfFromBits(bsfFromBits(amount * to) / from);
}
