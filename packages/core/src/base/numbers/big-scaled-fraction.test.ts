import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { bsfFromBits, mulBsf, ONE_BSF, rescaleSf } from './big-scaled-fraction.ts';
import { ONE_SF, sfFromBits } from './scaled-fraction.ts';

const ONE = 1_152_921_504_606_846_976n;
const LIMIT = 2n ** 256n;

const upTo = (bits: number) =>
  fc
    .integer({ min: 0, max: bits })
    .chain((width) => fc.bigInt({ min: 0n, max: 2n ** BigInt(width) - 1n }));
const anySf = upTo(128).map(sfFromBits);
const anyBsf = upTo(256).map(bsfFromBits);

test('computes the cumulative rate of the reference example to the bit', () => {
  const factor = sfFromBits(ONE + 700_712_677n * 1000n);
  expect(mulBsf(bsfFromBits((ONE * 105n) / 100n), factor)).toBe(1_210_568_315_585_500_173n);
});

test('rescales the debt of the reference example to the bit', () => {
  const debt = sfFromBits(100_000_000n * ONE + ONE / 2n);
  const moved = rescaleSf(
    debt,
    bsfFromBits(1_210_568_315_585_500_173n),
    bsfFromBits((ONE * 105n) / 100n),
  );
  expect(moved).toBe(115_292_221_108_413_500_164_523_938n);
});

test('accepts values from zero to 256 bits and rejects all others', () => {
  expect(ONE_BSF).toBe(ONE);
  expect(bsfFromBits(LIMIT - 1n)).toBe(LIMIT - 1n);
  expect(bsfFromBits(0n)).toBe(0n);
  expect(catchError(() => bsfFromBits(LIMIT))?.code).toBe('MATH_OVERFLOW');
  expect(catchError(() => bsfFromBits(-1n))?.code).toBe('MATH_OVERFLOW');
});

test('throws if the debt or the intermediate product overflows', () => {
  const large = sfFromBits(2n ** 128n - 1n);
  expect(catchError(() => rescaleSf(large, bsfFromBits(2n * ONE), ONE_BSF))?.code).toBe(
    'MATH_OVERFLOW',
  );
  // The quotient fits, but the product has 257 bits.
  const wide = bsfFromBits(2n ** 129n);
  expect(catchError(() => rescaleSf(large, wide, wide))?.code).toBe('MATH_OVERFLOW');
  expect(rescaleSf(large, bsfFromBits(2n ** 128n), bsfFromBits(2n ** 128n))).toBe(large);
  expect(catchError(() => rescaleSf(ONE_SF, ONE_BSF, bsfFromBits(0n)))?.code).toBe(
    'DIVISION_BY_ZERO',
  );
});

test('property: a product is rounded down or throws', () => {
  assertProperty(
    fc.property(anyBsf, anySf, (a, b) => {
      const code = catchError(() => mulBsf(a, b))?.code;
      expect(code).toBe(a * b >= LIMIT * ONE ? 'MATH_OVERFLOW' : undefined);
      if (code !== undefined) return;
      const product = mulBsf(a, b);
      expect(product * ONE <= a * b && a * b < (product + 1n) * ONE).toBe(true);
    }),
    100,
  );
});

test('property: a rescaled debt is rounded down once or throws', () => {
  const rates = fc.bigInt({ min: ONE, max: 1000n * ONE }).map(bsfFromBits);
  assertProperty(
    fc.property(upTo(110).map(sfFromBits), rates, rates, (amount, to, from) => {
      const moved = rescaleSf(amount, to, from);
      expect(moved * from <= amount * to && amount * to < (moved + 1n) * from).toBe(true);
    }),
    100,
  );
  assertProperty(
    fc.property(anySf, anyBsf, anyBsf, (amount, to, from) => {
      fc.pre(from > 0n);
      const fits = amount * to < LIMIT && amount * to < 2n ** 128n * from;
      expect(catchError(() => rescaleSf(amount, to, from))?.code).toBe(
        fits ? undefined : 'MATH_OVERFLOW',
      );
    }),
    100,
  );
});
