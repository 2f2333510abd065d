import type { Brand } from '../brand.ts';
import { CodedError } from '../errors.ts';
import { formatRatio } from './decimal.ts';

/** The lending programs' scaled fraction: the value times 2^60, in 128 bits. Never negative. */
export type Sf = Brand<bigint, 'Sf'>;

export const FRACTION_BITS = 60n;
const ONE = 1n << FRACTION_BITS;
const LIMIT = 1n << 128n;

export const ZERO_SF = 0n as Sf;
export const ONE_SF = ONE as Sf;

/** Creates a fraction from raw bits. Throws if they do not fit in 128 bits, as the program does. */
export function sfFromBits(bits: bigint): Sf {
  if (bits < 0n || bits >= LIMIT) throw new CodedError('MATH_OVERFLOW', OVERFLOW);
  return bits as Sf;
}

const OVERFLOW = { what: 'fraction', bits: 128 };

export const sfFromInt = (value: bigint): Sf => sfFromBits(value << FRACTION_BITS);

/** Rounded down, so 15 % is a little less than 15 %. */
export const sfFromPercent = (percent: bigint): Sf => sfFromBits((percent << FRACTION_BITS) / 100n);

/** Rounded down. */
export const sfFromBps = (bps: bigint): Sf => sfFromBits((bps << FRACTION_BITS) / 10_000n);

export const addSf = (a: Sf, b: Sf): Sf => sfFromBits(a + b);

/** Throws if the result is negative, as the program does. */
export const subSf = (a: Sf, b: Sf): Sf => sfFromBits(a - b);

/** Saturates at zero. */
export const subSfToZero = (a: Sf, b: Sf): Sf => (a > b ? ((a - b) as Sf) : ZERO_SF);

/** Rounded down to 60 bits. */
export const mulSf = (a: Sf, b: Sf): Sf => sfFromBits((a * b) >> FRACTION_BITS);

/** Rounded down to 60 bits. */
export const divSf = (a: Sf, b: Sf): Sf => sfFromBits(quotient(a << FRACTION_BITS, b));

/** Rounded up to 60 bits. */
export const divSfCeil = (a: Sf, b: Sf): Sf => sfFromBits(quotientCeil(a << FRACTION_BITS, b));

export const mulSfByInt = (a: Sf, factor: bigint): Sf => sfFromBits(a * factor);

/** Rounded down. */
export const divSfByInt = (a: Sf, divisor: bigint): Sf => sfFromBits(quotient(a, divisor));

/** `a * numerator / denominator` with a full-width product, rounded down once. */
export const mulSfByRatio = (a: Sf, numerator: bigint, denominator: bigint): Sf =>
  sfFromBits(quotient(a * numerator, denominator));

/** Like `mulSfByRatio`, rounded up. */
export const mulSfByRatioCeil = (a: Sf, numerator: bigint, denominator: bigint): Sf =>
  sfFromBits(quotientCeil(a * numerator, denominator));

export const floorSf = (a: Sf): bigint => a >> FRACTION_BITS;

export const ceilSf = (a: Sf): bigint => (a + ONE - 1n) >> FRACTION_BITS;

/** Rounds to the nearest integer, half up. */
export const roundSf = (a: Sf): bigint => (a + (ONE >> 1n)) >> FRACTION_BITS;

export const minSf = (a: Sf, b: Sf): Sf => (a < b ? a : b);

export const maxSf = (a: Sf, b: Sf): Sf => (a > b ? a : b);

/** Square and multiply, rounded down at every step. The exponent is not negative. */
export function powSf(base: Sf, exponent: bigint): Sf {
  let result = ONE_SF;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mulSf(result, square);
    if (rest > 1n) square = mulSf(square, square);
  }
  return result;
}

/** Formats plain decimal text: exact, or truncated after `significantDigits`. */
export const formatSf = (a: Sf, significantDigits?: number): string =>
  formatRatio({ numerator: a, denominator: ONE }, significantDigits ?? EXACT_DIGITS);

/** 2^-60 has 60 decimals; 68 integer bits have 21 digits. */
const EXACT_DIGITS = 81;

function quotient(dividend: bigint, divisor: bigint): bigint {
  if (divisor === 0n) throw new CodedError('DIVISION_BY_ZERO', { what: 'fraction' });
  return dividend / divisor;
}

function quotientCeil(dividend: bigint, divisor: bigint): bigint {
  return quotient(dividend + divisor - 1n, divisor);
}

const DECIMALS = 10n ** 18n;

/**
 * The decimal that a scaled fraction was truncated from, such as an oracle price or a fee of the configuration. A value
 * with at most 18 decimals is exact: truncation to 60 bits loses less than the 18th decimal.
 */
export const decimalOfSf = (bits: bigint): { numerator: bigint; denominator: bigint } => ({
  numerator: (bits * DECIMALS + ONE_SF - 1n) / ONE_SF,
  denominator: DECIMALS,
});
