import { addDecimals, compareDecimals, divideDecimals } from '@tidegate/client';

/** What the client's exact arithmetic does not say in one word. */

export const sum = (values: readonly string[]): string => values.reduce(addDecimals, '0');

const PLACES = 20;

/** To 20 places; undefined for a division by zero. */
export const divide = (part: string, whole: string): string | undefined =>
  compareDecimals(whole, '0') === 0
    ? undefined
    : divideDecimals(part, whole, { decimals: PLACES, rounding: 'nearest' });

export const minimum = (left: string, right: string): string =>
  compareDecimals(left, right) < 0 ? left : right;

/** Undefined for a division by zero. */
export function ratio(part: string, whole: string): number | undefined {
  const quotient = divide(part, whole);
  return quotient === undefined ? undefined : Number(quotient);
}
