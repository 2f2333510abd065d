import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import {
  dateFromDays,
  daysSinceEpoch,
  formatInstant,
  isValidDate,
  startOfDate,
} from './calendar.ts';
import { toUnixSeconds } from './time.ts';

/** The calendar of the JavaScript runtime, as the reference. */
const { Date: RuntimeDate } = globalThis;

const runtimeDays = (year: number, month: number, day: number): number =>
  new RuntimeDate(0).setUTCFullYear(year, month - 1, day) / 86_400_000;

const FIRST_DAY = -719_528;
const LAST_DAY = 2_932_896;

test('counts days since 1970 across leap years and century boundaries', () => {
  expect(daysSinceEpoch({ year: 1970, month: 1, day: 1 })).toBe(0);
  expect(daysSinceEpoch({ year: 1969, month: 12, day: 31 })).toBe(-1);
  expect(daysSinceEpoch({ year: 2000, month: 2, day: 29 })).toBe(11_016);
  expect(daysSinceEpoch({ year: 2000, month: 3, day: 1 })).toBe(11_017);
  expect(daysSinceEpoch({ year: 0, month: 1, day: 1 })).toBe(FIRST_DAY);
  expect(daysSinceEpoch({ year: 9999, month: 12, day: 31 })).toBe(LAST_DAY);
});

test('accepts only dates that exist', () => {
  const leap = [2000, 2024, 4, 0].map((year) => isValidDate({ year, month: 2, day: 29 }));
  expect(leap).toEqual([true, true, true, true]);
  const common = [1900, 2100, 2023, 9999].map((year) => isValidDate({ year, month: 2, day: 29 }));
  expect(common).toEqual([false, false, false, false]);
  const wrong = [
    { year: 2024, month: 0, day: 1 },
    { year: 2024, month: 13, day: 1 },
    { year: 2024, month: 4, day: 31 },
    { year: 2024, month: 1, day: 0 },
    { year: 2024, month: 1, day: 32 },
    { year: 2024, month: 99, day: 99 },
    { year: 2024, month: 12, day: 99 },
  ];
  expect(wrong.map(isValidDate)).toEqual(wrong.map(() => false));
});

test('property: rejects months and days that are out of range', () => {
  const part = fc.integer({ min: 0, max: 99 });
  assertProperty(
    fc.property(fc.integer({ min: 0, max: 9999 }), part, part, (year, month, day) => {
      const ms = new RuntimeDate(0).setUTCFullYear(year, month - 1, day);
      const found = new RuntimeDate(ms);
      const isSame = found.getUTCMonth() + 1 === month && found.getUTCDate() === day;
      expect(isValidDate({ year, month, day })).toBe(isSame);
    }),
    2000,
  );
});

test('property: agrees with the runtime on every day of the years 0 to 9999', () => {
  assertProperty(
    fc.property(fc.integer({ min: FIRST_DAY, max: LAST_DAY }), (days) => {
      const { year, month, day } = dateFromDays(days);
      expect(runtimeDays(year, month, day)).toBe(days);
      expect(daysSinceEpoch({ year, month, day })).toBe(days);
      expect(isValidDate({ year, month, day })).toBe(true);
      expect(startOfDate({ year, month, day })).toBe(BigInt(days) * 86_400n);
    }),
    2000,
  );
});

test('property: formats instants like the runtime', () => {
  const seconds = fc.integer({ min: FIRST_DAY * 86_400, max: (LAST_DAY + 1) * 86_400 - 1 });
  assertProperty(
    fc.property(seconds, (unix) => {
      const text = new RuntimeDate(unix * 1000).toISOString();
      expect(formatInstant(toUnixSeconds(BigInt(unix)))).toBe(text);
    }),
    2000,
  );
});
