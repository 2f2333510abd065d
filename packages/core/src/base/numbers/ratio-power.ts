import { CodedError } from '../errors.ts';
import { type Ratio, ratio } from './decimal.ts';

/** Fraction bits of the logarithm. A multiple of up to 2^64 keeps about 57 digits. */
const BITS = 256n;
const ONE = 1n << BITS;

/**
 * `base ^ exponent` for a positive base, computed in fixed point as exp(exponent * ln(base)). Accurate to at least
 * 50 digits while the binary exponent of the result is below 60. Uses no floating point.
 */
export function powRatio(base: Ratio, exponent: Ratio): Ratio {
  if (base.numerator <= 0n) throw new CodedError('MATH_OVERFLOW', { what: 'logarithm', bits: 256 });
  const log = (logarithm(base) * exponent.numerator) / exponent.denominator;
  return exponential(log);
}

/** ln x = k ln 2 + ln m, with m in [1, 2). */
function logarithm({ numerator, denominator }: Ratio): bigint {
  let doublings = BigInt(bitLength(numerator) - bitLength(denominator));
  if (scaled(numerator, denominator, doublings) < ONE) doublings--;
  const mantissa = scaled(numerator, denominator, doublings);
  return doublings * LN_2 + 2n * artanh(((mantissa - ONE) << BITS) / (mantissa + ONE));
}

/** `numerator / denominator / 2^doublings` in fixed point. */
function scaled(numerator: bigint, denominator: bigint, doublings: bigint): bigint {
  const shift = BITS - doublings;
  return shift >= 0n ? (numerator << shift) / denominator : numerator / (denominator << -shift);
}

/** z + z^3/3 + z^5/5 + … ; z is at most 1/3 here, so each term is a ninth of the one before. */
function artanh(z: bigint): bigint {
  const square = (z * z) >> BITS;
  let power = z;
  let sum = 0n;
  for (let odd = 1n; power !== 0n; odd += 2n) {
    sum += power / odd;
    power = (power * square) >> BITS;
  }
  return sum;
}

const LN_2 = 2n * artanh(ONE / 3n);

/** e^x = 2^k e^r, with r in [0, ln 2). */
function exponential(x: bigint): Ratio {
  const doublings = x >= 0n ? x / LN_2 : -((-x + LN_2 - 1n) / LN_2);
  const rest = x - doublings * LN_2;
  let term = ONE;
  let sum = 0n;
  for (let n = 1n; term !== 0n; n++) {
    sum += term;
    term = ((term * rest) >> BITS) / n;
  }
  return doublings >= 0n ? ratio(sum << doublings, ONE) : ratio(sum, ONE << -doublings);
}

const bitLength = (value: bigint): number => value.toString(2).length;
