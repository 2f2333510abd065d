import { expect, test } from 'vitest';
import { createRangeWeight } from './range-weight.ts';

const NOON = Date.UTC(2025, 5, 16, 12);
const hourly = createRangeWeight(
  () => NOON,
  () => 'hour',
);

test.each([
  // 30 days have 720 hours, 42 days 1008, a leap year 8784
  ['2025-01-01', '2025-01-31', 1],
  ['2025-01-01', '2025-02-12', 2],
  ['2024-01-01', '2025-01-01', 9],
  ['2025-02-01', '2025-01-01', 1],
  ['yesterday', '2025-01-01', 1],
  ['1990-01-01', '2025-01-01', 50],
])('hours from %s to %s cost %i', (start, end, weight) => {
  expect(hourly({ start, end })).toBe(weight);
});

test('a range that names no start counts as a year, one that names no end goes to now', () => {
  expect(hourly({})).toBe(9);
  // 41 days and a half have 996 hours, 42 and a half have 1020
  expect(hourly({ start: '2025-05-06' })).toBe(1);
  expect(hourly({ start: '2025-05-05' })).toBe(2);
});

test('a start that is given twice counts as none', () => {
  expect(hourly({ start: ['2025-01-01', '2024-01-01'], end: '2025-01-02' })).toBe(9);
  expect(hourly(undefined)).toBe(9);
});

test('the frequency may depend on what is asked', () => {
  const weightOf = createRangeWeight(
    () => NOON,
    (_, query) => (query['frequency'] === 'minute' ? 'minute' : 'day'),
  );
  // a week has 10,080 minutes
  expect(weightOf({ start: '2025-06-01', end: '2025-06-08', frequency: 'minute' })).toBe(11);
  expect(weightOf({ start: '2025-06-01', end: '2025-06-08' })).toBe(1);
});
