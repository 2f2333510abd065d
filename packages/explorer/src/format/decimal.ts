import Big from 'big.js';

/** Exact arithmetic on decimal strings. */

export const sum = (values: readonly string[]): string =>
  values.reduce((total, value) => total.plus(value), new Big(0)).toFixed();

export const subtract = (left: string, right: string): string =>
  new Big(left).minus(right).toFixed();

export const multiply = (left: string, right: string): string =>
  new Big(left).times(right).toFixed();

/** To 20 places; undefined for a division by zero. */
export const divide = (part: string, whole: string): string | undefined =>
  new Big(whole).eq(0) ? undefined : new Big(part).div(whole).toFixed();

/** Negative, zero or positive, as in a sort. */
export const compare = (left: string, right: string): number => new Big(left).cmp(right);

export const minimum = (left: string, right: string): string =>
  new Big(left).lt(right) ? left : right;

/** Undefined for a division by zero. */
export const ratio = (part: string, whole: string): number | undefined =>
  new Big(whole).eq(0) ? undefined : Number(new Big(part).div(whole));
