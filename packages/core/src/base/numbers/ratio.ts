import { powerOfTen, type Ratio, ratio } from './decimal.ts';
import { ONE_SF, type Sf } from './scaled-fraction.ts';

export const ZERO_RATIO: Ratio = { numerator: 0n, denominator: 1n };

export const ratioOfSf = (value: Sf): Ratio => ({ numerator: value, denominator: ONE_SF });

/** Converts an amount of base units to whole tokens. */
export const ratioOfUnits = (amount: bigint, decimals: bigint): Ratio => ({
  numerator: amount,
  denominator: powerOfTen(Number(decimals)),
});

/** Exact. The integers grow with every operation because nothing is rounded. */
export function addRatio(a: Ratio, b: Ratio): Ratio {
  if (a.numerator === 0n) return b;
  if (b.numerator === 0n) return a;
  if (a.denominator === b.denominator) {
    return { numerator: a.numerator + b.numerator, denominator: a.denominator };
  }
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  };
}

export const mulRatio = (a: Ratio, b: Ratio): Ratio => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
});

/** Returns zero if `b` is zero, as the contract defines it for every ratio. */
export function divRatioOrZero(a: Ratio, b: Ratio): Ratio {
  if (b.numerator === 0n) return ZERO_RATIO;
  return ratio(a.numerator * b.denominator, a.denominator * b.numerator);
}

export const sumRatios = (parts: readonly Ratio[]): Ratio => parts.reduce(addRatio, ZERO_RATIO);

/** Negative, zero or positive if `a` is below, equal to or above `b`. */
export function compareRatios(a: Ratio, b: Ratio): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}
