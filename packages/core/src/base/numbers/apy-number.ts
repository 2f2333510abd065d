import { aprToApy } from './apy.ts';
import { numberBetween, type Ratio, ratioToNumber } from './decimal.ts';

/** Fraction bits. With the bits of a value below 16 they fill two machine words. */
const BITS = 124n;
const SCALE = 2 ** -124;
const ONE = 1n << BITS;
/** Each of about 30 operations loses less than one, and the last ones multiply that by at most three. */
const MAX_ERROR = 256n;

const SLOTS = 63_072_000n;
/** Divisors of the second to fifth power of the rate in the logarithm of its growth. */
const [SECOND, THIRD, FOURTH, FIFTH] = [
  2n * SLOTS,
  3n * SLOTS ** 2n,
  4n * SLOTS ** 3n,
  5n * SLOTS ** 4n,
];

/**
 * The double nearest to `formatRatio(aprToApy(apr), LIVE_DIGITS)`. For rates from 0 to 100 % it computes fewer digits,
 * and the exact APY only if those do not decide which double it is.
 */
export function aprToApyNumber(apr: Ratio): number {
  const { numerator, denominator } = apr;
  if (numerator === 0n) return 0;
  if (numerator > 0n && numerator < denominator) {
    const apy = exponential(logarithm((numerator << BITS) / denominator)) - ONE;
    const nearest = apy > MAX_ERROR ? numberBetween(apy - MAX_ERROR, apy + MAX_ERROR) : undefined;
    if (nearest !== undefined) return nearest * SCALE;
  }
  return ratioToNumber(aprToApy(apr));
}

/** n ln(1 + x/n) = x - x^2/2n + x^3/3n^2 - … for n slots; each term is less than 2^-25 of the one before. */
function logarithm(rate: bigint): bigint {
  const square = (rate * rate) >> BITS;
  const cube = (square * rate) >> BITS;
  const fourth = (square * square) >> BITS;
  const fifth = (cube * square) >> BITS;
  return rate - square / SECOND + cube / THIRD - fourth / FOURTH + fifth / FIFTH;
}

/** Bits of a table index, and of the rest that no table has. */
const INDEX_BITS = 7;
const INDEX_MASK = 2 ** INDEX_BITS - 1;
const REST_BITS = 124 - 3 * INDEX_BITS;

/** e^x = e^a e^b e^c e^r, with three tables of seven bits each and r below 2^-21. */
function exponential(x: bigint): bigint {
  const [first = [], second = [], third = []] = tables();
  const index = Number(x >> BigInt(REST_BITS));
  const a = first[index >> (2 * INDEX_BITS)] ?? ONE;
  const b = second[(index >> INDEX_BITS) & INDEX_MASK] ?? ONE;
  const c = third[index & INDEX_MASK] ?? ONE;
  const rest = smallExponential(BigInt.asUintN(REST_BITS, x));
  return (((a * b) >> BITS) * ((c * rest) >> BITS)) >> BITS;
}

/** The first terms of the series; for x below 2^-21 the next one is below 2^-135. */
function smallExponential(x: bigint): bigint {
  const square = (x * x) >> BITS;
  const cube = (square * x) >> BITS;
  const fourth = (square * square) >> BITS;
  const fifth = (cube * square) >> BITS;
  return ONE + x + square / 2n + cube / 6n + fourth / 24n + fifth / 120n;
}

let lazyTables: readonly (readonly bigint[])[] | undefined;

/** e^(i / 2^7), e^(i / 2^14) and e^(i / 2^21). */
const tables = (): readonly (readonly bigint[])[] => {
  lazyTables ??= [1, 2, 3].map((level) =>
    Array.from({ length: INDEX_MASK + 1 }, (_, i) =>
      fullExponential(BigInt(i) << (BITS - BigInt(level * INDEX_BITS))),
    ),
  );
  return lazyTables;
};

const GUARD_BITS = 20n;

/** The whole series, for x below 1. */
function fullExponential(x: bigint): bigint {
  const precise = x << GUARD_BITS;
  let term = ONE << GUARD_BITS;
  let sum = 0n;
  for (let n = 1n; term > 0n; n++) {
    sum += term;
    term = ((term * precise) >> (BITS + GUARD_BITS)) / n;
  }
  return sum >> GUARD_BITS;
}
