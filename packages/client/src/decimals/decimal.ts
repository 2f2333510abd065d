/**
 * Exact arithmetic on decimal strings, the form of amounts, prices and rates in the API. Everything is computed with
 * `bigint`: no digit is lost, and nothing is rounded unless a function says how.
 */

/** `down` is toward zero, `up` away from zero, `nearest` to the closer one, and away from zero if both are as close. */
export type Rounding = 'down' | 'up' | 'nearest';

/** The value `digits / 10^scale`. */
export type ExactDecimal = { readonly digits: bigint; readonly scale: number };

/** The hosted API writes small numbers with an exponent. */
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;

/** Far beyond any amount or rate; keeps a hostile number from filling the memory. */
const MAX_LENGTH = 2_000;
const MAX_EXPONENT = 1_000;

/** Throws a `RangeError` for anything but a plain or scientific decimal. */
export function parseDecimal(text: string): ExactDecimal {
  const parts = text.length > MAX_LENGTH ? null : DECIMAL.exec(text);
  const [, sign = '', whole = '', fraction = '', power = '0'] = parts ?? [];
  const exponent = Number(power);
  if (parts === null || Math.abs(exponent) > MAX_EXPONENT) {
    throw new RangeError(`${JSON.stringify(text.slice(0, 80))} is not a decimal, such as "1.5".`);
  }
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const scale = fraction.length - exponent;
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** The shortest form without an exponent: no trailing zeros, and zero is `"0"`. */
export function formatExactDecimal({ digits, scale }: ExactDecimal): string {
  const text = withPoint(digits, scale);
  return scale === 0 ? text : text.replace(/\.?0+$/, '');
}

/** Whether a string is a decimal that the functions here accept. */
export function isDecimal(text: string): boolean {
  try {
    parseDecimal(text);
    return true;
  } catch {
    return false;
  }
}

/** -1, 0 or 1 if `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: string, b: string): -1 | 0 | 1 {
  const [left, right] = alignDigits(a, b);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

export function addDecimals(a: string, b: string): string {
  const [left, right, scale] = alignDigits(a, b);
  return formatExactDecimal({ digits: left + right, scale });
}

export function subtractDecimals(a: string, b: string): string {
  const [left, right, scale] = alignDigits(a, b);
  return formatExactDecimal({ digits: left - right, scale });
}

export function multiplyDecimals(a: string, b: string): string {
  const left = parseDecimal(a);
  const right = parseDecimal(b);
  const digits = left.digits * right.digits;
  return formatExactDecimal({ digits, scale: left.scale + right.scale });
}

/** The quotient with at most `decimals` decimals. Throws a `RangeError` for a division by zero. */
export function divideDecimals(
  a: string,
  b: string,
  { decimals, rounding = 'down' }: { readonly decimals: number; readonly rounding?: Rounding },
): string {
  const [left, right] = alignDigits(a, b);
  if (right === 0n) throw new RangeError('Cannot divide by zero.');
  const digits = divideRounded(left * 10n ** BigInt(toScale(decimals)), right, rounding);
  return formatExactDecimal({ digits, scale: decimals });
}

/**
 * An amount of whole tokens in the smallest units of its mint: `toBaseUnits('1.5', 9)` is `1500000000n`. More decimals than
 * the token has are a `RangeError`, unless `rounding` says what to do with them.
 */
export function toBaseUnits(amount: string, decimals: number, rounding?: Rounding): bigint {
  const { digits, scale } = parseDecimal(amount);
  const target = toScale(decimals);
  if (scale <= target) return digits * 10n ** BigInt(target - scale);
  const divisor = 10n ** BigInt(scale - target);
  if (rounding === undefined && digits % divisor !== 0n) {
    throw new RangeError(
      `${amount} has more than ${decimals} decimals. Cut it, or pass how to round.`,
    );
  }
  return divideRounded(digits, divisor, rounding ?? 'down');
}

/** Whole tokens of an amount in the smallest units: `fromBaseUnits(1500000000n, 9)` is `"1.5"`. */
export function fromBaseUnits(units: bigint, decimals: number): string {
  return formatExactDecimal({ digits: units, scale: toScale(decimals) });
}

/** Exactly `decimals` decimals, for people: `formatDecimal('1234.5678', 2)` is `"1234.56"`. */
export function formatDecimal(
  value: string,
  decimals: number,
  rounding: Rounding = 'down',
): string {
  return withPoint(toBaseUnits(value, decimals, rounding), toScale(decimals));
}

function alignDigits(a: string, b: string): [left: bigint, right: bigint, scale: number] {
  const left = parseDecimal(a);
  const right = parseDecimal(b);
  const scale = Math.max(left.scale, right.scale);
  const align = (each: ExactDecimal): bigint => each.digits * 10n ** BigInt(scale - each.scale);
  return [align(left), align(right), scale];
}

function divideRounded(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const quotient = dividend / divisor;
  const remainder = dividend % divisor;
  if (remainder === 0n || rounding === 'down') return quotient;
  const awayFromZero = dividend < 0n === divisor < 0n ? 1n : -1n;
  const isHalf = absolute(remainder) * 2n >= absolute(divisor);
  return rounding === 'up' || isHalf ? quotient + awayFromZero : quotient;
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

function withPoint(digits: bigint, scale: number): string {
  const text = absolute(digits)
    .toString()
    .padStart(scale + 1, '0');
  const sign = digits < 0n ? '-' : '';
  if (scale === 0) return sign + text;
  return `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

function toScale(decimals: number): number {
  if (Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_LENGTH) return decimals;
  throw new RangeError(`${decimals} is not a number of decimals.`);
}
