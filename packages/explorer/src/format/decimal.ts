import Big from 'big.js';

/** Exact arithmetic on decimal strings. */

export const sum = (values: readonly string[]): string =>
  values.reduce((total, value) => total.plus(value), new Big(0)).toFixed();

export const subtract = (left: string, right: string): string =>
  new Big(left).minus(right).toFixed();

export const minimum = (left: string, right: string): string =>
  new Big(left).lt(right) ? left : right;

/** Undefined for a division by zero. */
export const ratio = (part: string, whole: string): number | undefined =>
  new Big(whole).eq(0) ? undefined : Number(new Big(part).div(whole));
