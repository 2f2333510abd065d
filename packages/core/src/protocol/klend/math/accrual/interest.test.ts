import fc from 'fast-check';
import { expect, test } from 'vitest';
import { releaseRules } from '../../../../../../../test/support/lending/release-rules.ts';
import { assertProperty } from '../../../../../../../test/support/properties/assert-property.ts';
import {
  ONE_SF,
  type Sf,
  sfFromBits,
  sfFromBps,
} from '../../../../base/numbers/scaled-fraction.ts';
import { NEWEST_LENDING_RULES } from '../../releases.ts';
import { SECONDS_PER_YEAR, SLOTS_PER_YEAR } from './accrual-duration.ts';
import { compoundedInterest } from './rates.ts';

const tenPercent = sfFromBits(ONE_SF / 10n);
const sevenPercent = sfFromBps(700n);
const rates = fc.bigInt(0n, 10n * ONE_SF).map(sfFromBits);
const units = fc.bigInt(0n, SLOTS_PER_YEAR);

const overSlots = (rate: Sf, slots: bigint, rules = NEWEST_LENDING_RULES) =>
  compoundedInterest(rate, { units: slots, unitsPerYear: SLOTS_PER_YEAR }, rules);

const overSlotsBefore1_17 = (rate: Sf, slots: bigint) =>
  overSlots(rate, slots, releaseRules('1.16'));

const overSeconds = (rate: Sf, seconds: bigint) =>
  compoundedInterest(
    rate,
    { units: seconds, unitsPerYear: SECONDS_PER_YEAR },
    NEWEST_LENDING_RULES,
  );

test('no time gives no interest', () => {
  expect(overSlots(tenPercent, 0n)).toBe(ONE_SF);
  expect(overSeconds(tenPercent, 0n)).toBe(ONE_SF);
});

test.each([
  [5n, 1152921511004654675n, 1152921511004654671n],
  [6n, 1152921512284216218n, 1152921512284216213n],
  [100n, 1152921632563007705n, 1152921632563005626n],
  [9_000n, 1152933020718188085n, 1152933020701175476n],
  [216_000n, 1153197923029629580n, 1153197913226730976n],
  [63_072_000n, 1236516576150388372n, 1235615048428974976n],
])(
  '%i slots at 7 % give the bits of the program, before release 1.17 fewer',
  (slots, now, before) => {
    expect(overSlots(sevenPercent, slots)).toBe(now);
    expect(overSlotsBefore1_17(sevenPercent, slots)).toBe(before);
  },
);

test.each([
  [1n, 1152921507165970051n],
  [2n, 1152921509725093131n],
  [3n, 1152921512284216217n],
  [4n, 1152921514843339308n],
  [5n, 1152921517402462407n],
  [60n, 1152921658154241506n],
  [3_600n, 1152930717486714951n],
  [86_400n, 1153142634043763149n],
  [31_536_000n, 1236516576161329767n],
])('%i seconds at 7 % give the bits of the program', (seconds, expected) => {
  expect(overSeconds(sevenPercent, seconds)).toBe(expected);
});

test('a year at 10 % gives the bits of the program, below e^0.1', () => {
  expect(overSlots(tenPercent, SLOTS_PER_YEAR)).toBe(1274170416043324573n);
  expect(overSlotsBefore1_17(tenPercent, SLOTS_PER_YEAR)).toBe(1272191732173662976n);
});

test.each([
  [200n, 63_175_511_682_784n, 63_173_780_928_000n],
  [1000n, 315_912_178_635_951n, 315_898_764_998_400n],
])('a day at %i bps grows by the bits of the program', (bps, now, before) => {
  const slots = 172_800n;
  expect(overSlots(sfFromBps(bps), slots) - ONE_SF).toBe(now);
  expect(overSlotsBefore1_17(sfFromBps(bps), slots) - ONE_SF).toBe(before);
});

test('before release 1.17 the second term is zero below 5.87 %, and interest is simple', () => {
  const rate = sfFromBps(500n);
  const simple = ONE_SF + (rate / SLOTS_PER_YEAR) * 1_000_000n;
  expect(overSlotsBefore1_17(rate, 1_000_000n)).toBe(simple);
  expect(overSlots(rate, 1_000_000n)).toBeGreaterThan(simple);
});

test('four slots square the square, three multiply the square by the base', () => {
  const base = ONE_SF + (10n * ONE_SF) / SLOTS_PER_YEAR;
  const times = (a: bigint, b: bigint): bigint => (a * b) >> 60n;
  const squared = times(base, base);
  const rate = sfFromBits(10n * ONE_SF);
  expect(overSlots(rate, 1n)).toBe(base);
  expect(overSlots(rate, 2n)).toBe(squared);
  expect(overSlots(rate, 3n)).toBe(times(squared, base));
  expect(overSlots(rate, 4n)).toBe(times(squared, squared));
});

test('property: up to four units both compoundings are equal, and then the new one is never below', () => {
  assertProperty(
    fc.property(rates, units, (rate, elapsed) => {
      expect(overSlots(rate, elapsed)).toBeGreaterThanOrEqual(overSlotsBefore1_17(rate, elapsed));
      const few = elapsed % 5n;
      expect(overSlots(rate, few)).toBe(overSlotsBefore1_17(rate, few));
    }),
    100,
  );
});

test('property: the growth never decreases with time', () => {
  assertProperty(
    fc.property(rates, units, (rate, elapsed) => {
      for (const growth of [overSlots, overSlotsBefore1_17, overSeconds]) {
        expect(growth(rate, elapsed + 1n)).toBeGreaterThanOrEqual(growth(rate, elapsed));
      }
    }),
    100,
  );
});

/** (1 + the rate per unit)^n in 60 bits, rounded up: what compounding in every unit would give. */
function everyUnit(rate: Sf, n: bigint): bigint {
  const extra = 140n;
  const times = (a: bigint, b: bigint): bigint => ((a * b) >> (60n + extra)) + 1n;
  let [result, base] = [ONE_SF << extra, (ONE_SF + rate / SLOTS_PER_YEAR) << extra];
  for (let rest = n; rest > 0n; rest /= 2n) {
    if (rest % 2n === 1n) result = times(result, base);
    base = times(base, base);
  }
  return (result >> extra) + 1n;
}

test('property: parts of a time never give less than all of it, and neither more than every unit', () => {
  const parts = fc.array(fc.bigInt(0n, 100_000n), { minLength: 2, maxLength: 8 });
  assertProperty(
    fc.property(rates, parts, (rate, lengths) => {
      const n = lengths.reduce((sum, length) => sum + length, 0n);
      const once = overSlots(rate, n);
      const inParts = lengths.reduce(
        (product, length) => (product * overSlots(rate, length)) >> 60n,
        ONE_SF as bigint,
      );
      const most = everyUnit(rate, n);
      expect(once).toBeLessThanOrEqual(most);
      expect(inParts).toBeLessThanOrEqual(most);
      // A term rounds down before its factor n/2 or n/3, and each product once. The growth is below 2.
      const truncation = 2n * (n + 3n * BigInt(lengths.length));
      expect(once - inParts).toBeLessThanOrEqual(truncation);
    }),
    200,
  );
});

test('property: up to four slots, parts that the program multiplies itself give the same bits', () => {
  assertProperty(
    fc.property(rates, (rate) => {
      const product = (a: bigint, b: bigint): bigint =>
        (overSlots(rate, a) * overSlots(rate, b)) >> 60n;
      expect(product(1n, 1n)).toBe(overSlots(rate, 2n));
      expect(product(2n, 1n)).toBe(overSlots(rate, 3n));
      expect(product(2n, 2n)).toBe(overSlots(rate, 4n));
    }),
    100,
  );
});
