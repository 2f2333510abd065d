import { type Ratio, ratio } from './decimal.ts';

/** The lending program's year: two slots a second, each of which compounds. */
const SLOTS_PER_YEAR = 63_072_000n;

/** Each product drops less than 2^-320, which the power makes 2^-294 of the result: some 88 digits. */
const SCALE_BITS = 320n;
const ONE = 1n << SCALE_BITS;

/**
 * What a yearly rate comes to when it compounds every slot: (1 + apr / 63072000) ^ 63072000 - 1.
 * A rate below zero gives a loss; one that takes more than everything in a slot, -1.
 */
export function aprToApy({ numerator, denominator }: Ratio): Ratio {
  const whole = denominator * SLOTS_PER_YEAR;
  const grown = whole + numerator;
  const perSlot = grown > 0n ? (grown << SCALE_BITS) / whole : 0n;
  return ratio(power(perSlot, SLOTS_PER_YEAR) - ONE, ONE);
}

function power(base: bigint, exponent: bigint): bigint {
  let result = ONE;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) >> SCALE_BITS;
    if (rest > 1n) square = (square * square) >> SCALE_BITS;
  }
  return result;
}
