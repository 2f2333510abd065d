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
  if (numerator === 0n) return '0';
  const magnitude = numerator < 0n ? -numerator : numerator;
  const sign = numerator < 0n ? '-' : '';
  const decimals = sufficientDecimals({ numerator: magnitude, denominator }, significantDigits);
  const digits = ((magnitude * powerOfTen(decimals)) / denominator).toString();
  const wholeDigits = digits.length - decimals;
  if (wholeDigits >= significantDigits) {
    return wholeDigits > 0 ? `${sign}${digits.slice(0, wholeDigits)}` : '0';
  }
  const end = endWithoutZeros(digits, Math.max(0, wholeDigits), significantDigits);
  if (wholeDigits <= 0) return `${sign}0.${'0'.repeat(-wholeDigits)}${digits.slice(0, end)}`;
  const whole = digits.slice(0, wholeDigits);
  return end === wholeDigits
    ? `${sign}${whole}`
    : `${sign}${whole}.${digits.slice(wholeDigits, end)}`;
}

/** A number of decimals with at least as many significant digits, and a few more at most. */
function sufficientDecimals({ numerator, denominator }: Ratio, significantDigits: number): number {
  const quotient = Number(numerator) / Number(denominator);
  // a quotient of numbers beyond the range of doubles is not one
  const isNormal = quotient > MIN_QUOTIENT && quotient < MAX_QUOTIENT;
  const exponent = isNormal ? Math.log10(quotient) : exponentOf(numerator, denominator);
  // rounded twice, so it can be one too high
  return Math.max(0, significantDigits - Math.floor(exponent));
}

const MIN_QUOTIENT = 1e-290;
const MAX_QUOTIENT = 1e290;

/** At most the decimal exponent, by the lengths of hexadecimal texts, which are much faster than decimal ones. */
const exponentOf = (numerator: bigint, denominator: bigint): number =>
  4 * (hexLength(numerator) - hexLength(denominator) - 1) * Math.log10(2);

const hexLength = (value: bigint): number => value.toString(16).length;

/** The end of the digits without trailing zeros, between `start` and `end`. */
function endWithoutZeros(digits: string, start: number, end: number): number {
  let last = Math.min(end, digits.length);
  while (last > start && digits.charCodeAt(last - 1) === ZERO) last--;
  return last;
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
    const nearest = numberBetween(bits, bits + 1n);
    if (nearest !== undefined) return nearest * NUMBER_SCALE;
  }
  return Number(formatRatio(value, LIVE_DIGITS));
}

/** The double nearest to all values from the lowest one, truncated, to the highest one; undefined if there is none. */
export function numberBetween(lowest: bigint, highest: bigint): number | undefined {
  const nearest = Number(highest);
  return Number(lowest - (lowest >> TRUNCATION_BITS) - 1n) === nearest ? nearest : undefined;
}

/** Formats an amount of base units in whole tokens, exactly. */
export function formatUnits(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, '');
  const sign = amount < 0n ? '-' : '';
  return `${sign}${digits.slice(0, point)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Enough for a sentence. */
const SENTENCE_DIGITS = 6;

/** For a sentence about a computed amount: six digits, cut, and none before the point. What was requested or is signed has all digits. */
export const formatShortUnits = (amount: bigint, decimals: number): string =>
  formatRatio({ numerator: amount, denominator: powerOfTen(decimals) }, SENTENCE_DIGITS);

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

/** Precomputed powers for the usual number of digits. */
const powers = Array.from({ length: 128 }, (_, exponent) => 10n ** BigInt(exponent));

export const powerOfTen = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent);

function invalidDecimal(text: string, reason: string): CodedError {
  return new CodedError('INVALID_DECIMAL', { text, reason });
}
