import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostileJson, hostileTexts } from '../../../../../test/support/fuzz/hostile-values.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { createRangeWeight } from './range-weight.ts';

const NOON = Date.UTC(2025, 5, 16, 12);

test('property: no query costs less than one unit, more than the maximum, or a part of one', () => {
  const weightOf = createRangeWeight(
    () => NOON,
    () => 'hour',
    { minimum: 2, maximum: 50 },
  );
  const times = fc.oneof(
    hostileTexts,
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.bigInt().map(String),
  );
  const ranges = fc.record({ start: times, end: times }, { requiredKeys: [] });
  assertProperty(
    fc.property(fc.oneof(ranges, hostileJson), (query) => {
      const weight = weightOf(query);
      expect(Number.isInteger(weight) && weight >= 1 && weight <= 50).toBe(true);
    }),
    2000,
  );
});

test('a range without points costs the minimum', () => {
  const weightOf = createRangeWeight(
    () => NOON,
    () => 'hour',
    { minimum: 7 },
  );
  expect(weightOf({ start: '2025-06-02', end: '2025-06-01' })).toBe(7);
  expect(weightOf({ start: '2999-01-01' })).toBe(7);
});
