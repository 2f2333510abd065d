import { type Ratio, ratio } from './decimal.ts';

/** The lending program's year: two slots per second, compounded every slot. */
const SLOTS_PER_YEAR = 63_072_000n;

/** Each product loses less than 2^-320. The power amplifies this to 2^-294 of the result: about 88 exact digits. */
const SCALE_BITS = 320n;
const ONE = 1n << SCALE_BITS;

/**
 * The APY of a rate that compounds every slot: (1 + apr / 63072000) ^ 63072000 - 1.
 * A negative rate gives a loss. A rate that loses everything within one slot gives -1.
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
