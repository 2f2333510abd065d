import { CodedError } from '../errors.ts';

/** An exact fraction of two integers. The denominator is positive. */
export type Ratio = { readonly numerator: bigint; readonly denominator: bigint };

/** Significant digits of live values and of stored series. */
export const LIVE_DIGITS = 20;
export const SERIES_DIGITS = 40;

const ZERO = 48;
const PLAIN = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/;

export function ratio(numerator: bigint, denominator: bigint): Ratio {
  if (denominator === 0n) throw new CodedError('DIVISION_BY_ZERO', { what: 'ratio' });
  return denominator > 0n
    ? { numerator, denominator }
    : { numerator: -numerator, denominator: -denominator };
}

/**
 * Formats plain decimal text: no exponent, no trailing zeros, zero is `0`. A longer fraction is truncated toward
 * zero after `significantDigits`. The integer part is never truncated.
 */
export function formatRatio({ numerator, denominator }: Ratio, significantDigits: number): string {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const whole = magnitude / denominator;
  const rest = magnitude - whole * denominator;
  const sign = numerator < 0n ? '-' : '';
  const decimals =
    rest === 0n ? '' : fractionDigits({ rest, denominator, whole }, significantDigits);
  if (whole === 0n && decimals === '') return '0';
  return decimals === '' ? `${sign}${whole}` : `${sign}${whole}.${decimals}`;
}

const NUMBER_BITS = 128n;
const NUMBER_SCALE = 2 ** -128;
/** Fewer bits than this cannot tell which of two doubles is nearer. */
const MIN_NUMBER = 1n << 64n;
/** Truncation after 20 digits loses less than a part in 2^60. */
const TRUNCATION_BITS = 60n;

/** The double nearest to `formatRatio(value, LIVE_DIGITS)`, without formatting it. */
export function ratioToNumber(value: Ratio): number {
  const { numerator, denominator } = value;
  const bits = numerator > 0n ? (numerator << NUMBER_BITS) / denominator : 0n;
  if (bits >= MIN_NUMBER) {
    const most = Number(bits + 1n);
    // all values between the truncated and the exact one are nearest to the same double
    if (Number(bits - (bits >> TRUNCATION_BITS) - 1n) === most) return most * NUMBER_SCALE;
  }
  return Number(formatRatio(value, LIVE_DIGITS));
}

/** Formats an amount of base units in whole tokens, exactly. */
export function formatUnits(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, '');
  const sign = amount < 0n ? '-' : '';
  return `${sign}${digits.slice(0, point)}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * Parses an amount of whole tokens to base units, exactly. Rejects exponents, signs, spaces, leading zeros, and
 * more decimals than the token has unless they are zeros.
 */
export function parseUnits(text: string, decimals: number): bigint {
  const { numerator, denominator } = parseDecimal(text);
  if (numerator < 0n || text.startsWith('-')) throw invalidDecimal(text, 'it is negative');
  const scaled = numerator * 10n ** BigInt(decimals);
  if (scaled % denominator !== 0n) {
    throw invalidDecimal(text, `the token has only ${decimals} decimals`);
  }
  return scaled / denominator;
}

/** The contract's decimals have about eighty digits at most. */
const MAX_LENGTH = 200;

/** Parses plain decimal text to an exact ratio. */
export function parseDecimal(text: string): Ratio {
  const match = text.length <= MAX_LENGTH ? PLAIN.exec(text) : null;
  if (match === null)
    throw invalidDecimal(text.slice(0, MAX_LENGTH), 'it is not a plain decimal number');
  const [, sign = '', whole = '', fraction = ''] = match;
  const numerator = BigInt(`${whole}${fraction}`);
  return {
    numerator: sign === '-' ? -numerator : numerator,
    denominator: 10n ** BigInt(fraction.length),
  };
}

type SplitRatio = { readonly whole: bigint; readonly rest: bigint; readonly denominator: bigint };

function fractionDigits({ whole, rest, denominator }: SplitRatio, digits: number): string {
  const wholeDigits = whole === 0n ? 0 : whole.toString().length;
  if (wholeDigits >= digits) return '';
  const zeros = wholeDigits > 0 ? 0 : leadingZeros(rest, denominator);
  const decimals = zeros + digits - wholeDigits;
  const scaled = (rest * powerOfTen(decimals)) / denominator;
  return trimTrailingZeros(scaled.toString().padStart(decimals, '0'));
}

/** Zeros between the decimal point and the first digit of `rest / denominator`, which is below 1. */
function leadingZeros(rest: bigint, denominator: bigint): number {
  if (rest * 10n >= denominator) return 0;
  // at most the true number, because 2^-n has at least 0.3 n zeros; hexadecimal text is much faster than decimal text
  const missingBits = 4 * (hexLength(denominator) - hexLength(rest) - 1);
  let zeros = Math.max(1, Math.floor(missingBits * LOG10_OF_2));
  while (rest * powerOfTen(zeros + 1) < denominator) zeros++;
  return zeros;
}

/** Rounded down. */
const LOG10_OF_2 = 0.30102;

const hexLength = (value: bigint): number => value.toString(16).length;

function trimTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === ZERO) end--;
  return digits.slice(0, end);
}

/** Precomputed powers for the usual number of digits. */
const powers = Array.from({ length: 128 }, (_, exponent) => 10n ** BigInt(exponent));

const powerOfTen = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent);

function invalidDecimal(text: string, reason: string): CodedError {
  return new CodedError('INVALID_DECIMAL', { text, reason });
}
