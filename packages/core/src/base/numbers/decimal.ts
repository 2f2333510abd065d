import { CodedError } from '../errors.ts';

/** An exact fraction of two whole numbers. The denominator is above zero. */
export type Ratio = { readonly numerator: bigint; readonly denominator: bigint };

/** Digits that live values are printed with, and digits that stored series are. */
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
 * Plain decimal text: no exponent, no trailing zeros, zero is `0`. A fraction that goes on is cut
 * (toward zero, never rounded up) after `significantDigits`; whole digits are always all there.
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

/** An amount of smallest units as text in whole tokens, exact. */
export function formatUnits(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, '');
  const sign = amount < 0n ? '-' : '';
  return `${sign}${digits.slice(0, point)}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * Text in whole tokens to smallest units, exact: more decimals than the token has are refused
 * unless they are zeros, and so are exponents, signs, spaces and leading zeros.
 */
export function parseUnits(text: string, decimals: number): bigint {
  const { numerator, denominator } = parseDecimal(text);
  if (numerator < 0n || text.startsWith('-')) throw refused(text, 'it is negative');
  const scaled = numerator * 10n ** BigInt(decimals);
  if (scaled % denominator !== 0n) {
    throw refused(text, `the token has ${decimals} decimals and this needs more`);
  }
  return scaled / denominator;
}

/** Longest text that is read; the contract's own decimals have at most some eighty digits. */
const MAX_LENGTH = 200;

/** Plain decimal text to an exact ratio. */
export function parseDecimal(text: string): Ratio {
  const match = text.length <= MAX_LENGTH ? PLAIN.exec(text) : null;
  if (match === null) throw refused(text.slice(0, MAX_LENGTH), 'write it plainly, like 12.5');
  const [, sign = '', whole = '', fraction = ''] = match;
  const numerator = BigInt(`${whole}${fraction}`);
  return {
    numerator: sign === '-' ? -numerator : numerator,
    denominator: 10n ** BigInt(fraction.length),
  };
}

type Split = { readonly whole: bigint; readonly rest: bigint; readonly denominator: bigint };

function fractionDigits({ whole, rest, denominator }: Split, digits: number): string {
  const wholeDigits = whole === 0n ? 0 : whole.toString().length;
  if (wholeDigits >= digits) return '';
  const zeros = wholeDigits > 0 ? 0 : leadingZeros(rest, denominator);
  const places = zeros + digits - wholeDigits;
  const scaled = (rest * powerOfTen(places)) / denominator;
  return withoutEndZeros(scaled.toString().padStart(places, '0'));
}

/** Zeros between the point and the first digit of `rest / denominator`, which is below one. */
function leadingZeros(rest: bigint, denominator: bigint): number {
  let zeros = Math.max(0, denominator.toString().length - rest.toString().length - 1);
  while (rest * powerOfTen(zeros + 1) < denominator) zeros++;
  return zeros;
}

function withoutEndZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === ZERO) end--;
  return digits.slice(0, end);
}

/** Those that figures are written with, made once. */
const powers = Array.from({ length: 128 }, (_, exponent) => 10n ** BigInt(exponent));

const powerOfTen = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent);

function refused(text: string, reason: string): CodedError {
  return new CodedError('INVALID_DECIMAL', { text, reason });
}
