import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { parseDecimal } from './decimal.ts';
import {
  addSf,
  ceilSf,
  decimalOfSf,
  divSf,
  divSfByInt,
  divSfCeil,
  floorSf,
  formatSf,
  maxSf,
  minSf,
  mulSf,
  mulSfByInt,
  mulSfByRatio,
  mulSfByRatioCeil,
  ONE_SF,
  powSf,
  roundSf,
  type Sf,
  sfFromBits,
  sfFromBps,
  sfFromInt,
  sfFromPercent,
  subSf,
  subSfToZero,
  ZERO_SF,
} from './scaled-fraction.ts';

const ONE = 1_152_921_504_606_846_976n;
const LIMIT = 2n ** 128n;
const MAX = sfFromBits(LIMIT - 1n);

const upTo = (bits: number) =>
  fc
    .integer({ min: 0, max: bits })
    .chain((width) => fc.bigInt({ min: 0n, max: 2n ** BigInt(width) - 1n }));
const anySf = upTo(128).map(sfFromBits);
const aboveZero = upTo(127).map((bits) => sfFromBits(bits + 1n));
const integers = upTo(64);

/** Compares the result or the error code with the exact value before the range check. */
function expectInRange(compute: () => Sf, exact: bigint): void {
  if (exact >= 0n && exact < LIMIT) expect(compute()).toBe(exact);
  else expect(catchError(compute)?.code).toBe('MATH_OVERFLOW');
}

test('converts 1, 15 %, a basis point and a thousandth to the bits of the program', () => {
  expect(ONE_SF).toBe(ONE);
  expect(sfFromInt(1n)).toBe(ONE);
  expect(sfFromPercent(15n)).toBe(172_938_225_691_027_046n);
  expect(sfFromBps(1n)).toBe(115_292_150_460_684n);
  expect(mulSfByRatio(ONE_SF, 1n, 1000n)).toBe(1_152_921_504_606_846n);
  expect(sfFromPercent(100n)).toBe(ONE);
  expect(sfFromBps(10_000n)).toBe(ONE);
});

test('computes supply and utilization of the reference example to the bit', () => {
  const debt = sfFromInt(5n * 10n ** 11n);
  const supply = subSf(addSf(sfFromInt(10n ** 12n), debt), sfFromInt(10n ** 6n));
  expect(supply).toBe(1_729_381_103_988_765_857_153_024_000_000n);
  expect(floorSf(supply)).toBe(1_499_999_000_000n);
  expect(divSf(debt, supply)).toBe(384_307_424_407_231_930n);
});

test('multiplies the take and referral rates of the reference example to the bit', () => {
  expect(mulSf(sfFromPercent(15n), sfFromBps(2000n))).toBe(34_587_645_138_205_409n);
});

test('grows the debt of the reference example to the bit', () => {
  const debt = sfFromInt(5n * 10n ** 11n);
  const rate = addSf(sfFromBits(38_430_742_440_723_193n), sfFromBps(50n));
  const base = divSfByInt(rate, 63_072_000n);
  expect(mulSf(base, base)).toBe(ZERO_SF);
  const factor = addSf(ONE_SF, mulSfByInt(base, 1000n));
  expect(mulSf(debt, factor)).toBe(576_461_102_659_761_988_000_000_000_000n);
});

test('rounds a debt slightly above 100000061 up to 100000062 and to the nearest 100000061', () => {
  const debt = sfFromBits(115_292_221_108_413_500_164_523_938n);
  expect(ceilSf(debt)).toBe(100_000_062n);
  expect(floorSf(debt)).toBe(100_000_061n);
  expect(roundSf(debt)).toBe(100_000_061n);
});

test('rounds one half up and anything below it down', () => {
  expect(roundSf(sfFromBits(ONE / 2n))).toBe(1n);
  expect(roundSf(sfFromBits(ONE / 2n - 1n))).toBe(0n);
  expect(roundSf(sfFromBits(ONE + ONE / 2n))).toBe(2n);
});

test('floor, ceiling and rounding do not change integers', () => {
  for (const whole of [0n, 1n, 7n, 2n ** 68n - 1n]) {
    const value = sfFromInt(whole);
    expect([floorSf(value), ceilSf(value), roundSf(value)]).toEqual([whole, whole, whole]);
  }
});

test('accepts values from zero to 128 bits and rejects all others', () => {
  expect(sfFromBits(LIMIT - 1n)).toBe(LIMIT - 1n);
  expect(sfFromBits(0n)).toBe(0n);
  expect(catchError(() => sfFromBits(LIMIT))?.code).toBe('MATH_OVERFLOW');
  expect(catchError(() => sfFromBits(-1n))?.code).toBe('MATH_OVERFLOW');
  expect(catchError(() => sfFromInt(2n ** 68n))?.code).toBe('MATH_OVERFLOW');
  expect(catchError(() => sfFromInt(-1n))?.code).toBe('MATH_OVERFLOW');
  expect(catchError(() => addSf(MAX, sfFromBits(1n)))?.code).toBe('MATH_OVERFLOW');
  expect(catchError(() => subSf(ZERO_SF, sfFromBits(1n)))?.code).toBe('MATH_OVERFLOW');
  expect(catchError(() => mulSf(MAX, sfFromInt(2n)))?.code).toBe('MATH_OVERFLOW');
  expect(catchError(() => divSf(MAX, sfFromBits(1n)))?.code).toBe('MATH_OVERFLOW');
  expect(catchError(() => mulSfByInt(MAX, 2n))?.code).toBe('MATH_OVERFLOW');
  expect(catchError(() => mulSfByRatio(MAX, 2n, 1n))?.code).toBe('MATH_OVERFLOW');
});

test('division by zero throws', () => {
  expect(catchError(() => divSf(ONE_SF, ZERO_SF))?.code).toBe('DIVISION_BY_ZERO');
  expect(catchError(() => divSfCeil(ZERO_SF, ZERO_SF))?.code).toBe('DIVISION_BY_ZERO');
  expect(catchError(() => divSfByInt(ONE_SF, 0n))?.code).toBe('DIVISION_BY_ZERO');
  expect(catchError(() => mulSfByRatio(ONE_SF, 1n, 0n))?.code).toBe('DIVISION_BY_ZERO');
  expect(catchError(() => mulSfByRatioCeil(ONE_SF, 0n, 0n))?.code).toBe('DIVISION_BY_ZERO');
});

test('property: sums and differences are exact or throw', () => {
  assertProperty(
    fc.property(anySf, anySf, (a, b) => {
      expectInRange(() => addSf(a, b), a + b);
      expectInRange(() => subSf(a, b), a - b);
      expect(subSfToZero(a, b)).toBe(a > b ? a - b : 0n);
      expect([minSf(a, b), maxSf(a, b)]).toEqual(a < b ? [a, b] : [b, a]);
    }),
    100,
  );
});

test('property: a product is rounded down', () => {
  assertProperty(
    fc.property(anySf, anySf, integers, (a, b, n) => {
      const code = catchError(() => mulSf(a, b))?.code;
      expect(code).toBe(a * b >= LIMIT * ONE ? 'MATH_OVERFLOW' : undefined);
      if (code === undefined) {
        const product = mulSf(a, b);
        expect(product * ONE <= a * b && a * b < (product + 1n) * ONE).toBe(true);
      }
      expectInRange(() => mulSfByInt(a, n), a * n);
    }),
    100,
  );
});

test('property: a quotient is rounded down, or up by divSfCeil', () => {
  assertProperty(
    fc.property(anySf, aboveZero, (a, b) => {
      if (catchError(() => divSfCeil(a, b))?.code === undefined) {
        const floor = divSf(a, b);
        const ceil = divSfCeil(a, b);
        expect(floor * b <= a * ONE && a * ONE < (floor + 1n) * b).toBe(true);
        expect(ceil * b >= a * ONE && (ceil - 1n) * b < a * ONE).toBe(true);
      } else {
        expect(a * ONE > (LIMIT - 1n) * b).toBe(true);
      }
      const byInt = divSfByInt(a, b);
      expect(byInt * b <= a && a < (byInt + 1n) * b).toBe(true);
    }),
    100,
  );
});

test('property: mulSfByRatio rounds only once', () => {
  assertProperty(
    fc.property(anySf, integers, integers, (a, n, less) => {
      const d = less + 1n;
      if (a * n > (LIMIT - 1n) * d) {
        expect(catchError(() => mulSfByRatioCeil(a, n, d))?.code).toBe('MATH_OVERFLOW');
        return;
      }
      const floor = mulSfByRatio(a, n, d);
      const ceil = mulSfByRatioCeil(a, n, d);
      expect(floor * d <= a * n && a * n < (floor + 1n) * d).toBe(true);
      expect(ceil * d >= a * n && (ceil - 1n) * d < a * n).toBe(true);
    }),
    100,
  );
});

test('property: floor, ceiling and rounding are next to the value', () => {
  assertProperty(
    fc.property(anySf, (a) => {
      const [floor, ceil, round] = [floorSf(a), ceilSf(a), roundSf(a)];
      expect(floor * ONE <= a && a < (floor + 1n) * ONE).toBe(true);
      expect(ceil * ONE >= a && (ceil - 1n) * ONE < a).toBe(true);
      expect(2n * a - ONE < 2n * round * ONE && 2n * round * ONE <= 2n * a + ONE).toBe(true);
    }),
    100,
  );
});

test('property: percent and basis points are rounded down', () => {
  assertProperty(
    fc.property(integers, (n) => {
      const percent = sfFromPercent(n);
      const bps = sfFromBps(n);
      expect(percent * 100n <= n * ONE && n * ONE < (percent + 1n) * 100n).toBe(true);
      expect(bps * 10_000n <= n * ONE && n * ONE < (bps + 1n) * 10_000n).toBe(true);
    }),
    100,
  );
});

test('small powers equal square-and-multiply with each product rounded down', () => {
  const base = sfFromBits(ONE + 1_234_567_890_123n);
  const two = mulSf(base, base);
  const four = mulSf(two, two);
  const powers = [
    ONE_SF,
    base,
    two,
    mulSf(base, two),
    four,
    mulSf(base, four),
    mulSf(two, four),
    mulSf(mulSf(base, two), four),
    mulSf(four, four),
  ];
  expect(powers.map((_, exponent) => powSf(base, BigInt(exponent)))).toEqual(powers);
});

test('property: a power equals the repeated product while exact and never exceeds the true power', () => {
  assertProperty(
    fc.property(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 20 }), (whole, n) => {
      const base = sfFromInt(BigInt(whole));
      let product = ONE_SF;
      for (let i = 0; i < n; i++) product = mulSf(product, base);
      expect(powSf(base, BigInt(n))).toBe(product);
    }),
    100,
  );
  assertProperty(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n * ONE }),
      fc.integer({ min: 1, max: 60 }),
      (bits, n) => {
        const power = powSf(sfFromBits(bits), BigInt(n));
        expect(power * ONE ** BigInt(n - 1) <= bits ** BigInt(n)).toBe(true);
      },
    ),
    100,
  );
});

test('a power that fits does not throw because of an unused square', () => {
  expect(powSf(sfFromInt(2n ** 33n), 2n)).toBe(2n ** 126n);
  expect(powSf(sfFromInt(2n ** 60n), 1n)).toBe(2n ** 120n);
  expect(catchError(() => powSf(sfFromInt(2n ** 34n), 2n))?.code).toBe('MATH_OVERFLOW');
});

test('formats the smallest and the largest fraction with all digits', () => {
  expect(formatSf(sfFromBits(1n))).toBe(
    '0.000000000000000000867361737988403547205962240695953369140625',
  );
  expect(formatSf(MAX)).toMatch(
    /^295147905179352825855\.9{18}132638262011596452794037759304046630859375$/,
  );
  expect(formatSf(ZERO_SF)).toBe('0');
  expect(formatSf(ONE_SF)).toBe('1');
  expect(formatSf(sfFromBits(384_307_424_407_231_930n), 20)).toBe('0.33333355555570370366');
});

test('property: the text of a fraction is exact', () => {
  assertProperty(
    fc.property(anySf, (a) => {
      const { numerator, denominator } = parseDecimal(formatSf(a));
      expect(numerator * ONE).toBe(a * denominator);
    }),
    100,
  );
});

test('property: a decimal with at most 18 digits survives the scale', () => {
  const digits = fc.bigInt(0n, 10n ** 24n);
  assertProperty(
    fc.property(digits, fc.integer({ min: 0, max: 18 }), (value, decimals) => {
      const scale = 10n ** BigInt(decimals);
      const { numerator, denominator } = decimalOfSf((value << 60n) / scale);
      expect(numerator * scale).toBe(value * denominator);
    }),
    100,
  );
});
