import { expect, test } from 'vitest';
import { createRangeWeight } from './range-weight.ts';

const NOON = Date.UTC(2025, 5, 16, 12);
const hourly = createRangeWeight(
  () => NOON,
  () => 'hour',
);

test.each([
  // 720, 1008 and 8784 hours
  ['2025-01-01', '2025-01-31', 1],
  ['2025-01-01', '2025-02-12', 2],
  ['2024-01-01', '2025-01-01', 9],
  ['2025-02-01', '2025-01-01', 1],
  ['yesterday', '2025-01-01', 1],
  ['1990-01-01', '2025-01-01', 50],
])('hourly data from %s to %s costs %i', (start, end, weight) => {
  expect(hourly({ start, end })).toBe(weight);
});

test('a range without start counts as a year, one without end ends now', () => {
  expect(hourly({})).toBe(9);
  // 996 and 1020 hours
  expect(hourly({ start: '2025-05-06' })).toBe(1);
  expect(hourly({ start: '2025-05-05' })).toBe(2);
});

test('a repeated start counts as no start', () => {
  expect(hourly({ start: ['2025-01-01', '2024-01-01'], end: '2025-01-02' })).toBe(9);
  expect(hourly(undefined)).toBe(9);
});

test('the frequency can depend on the query', () => {
  const weightOf = createRangeWeight(
    () => NOON,
    (_, query) => (query['frequency'] === 'minute' ? 'minute' : 'day'),
  );
  // 10,080 minutes
  expect(weightOf({ start: '2025-06-01', end: '2025-06-08', frequency: 'minute' })).toBe(11);
  expect(weightOf({ start: '2025-06-01', end: '2025-06-08' })).toBe(1);
});

test('points per unit, minimum and maximum can be those of an operation', () => {
  const options = { minimum: 2, pointsPerUnit: 50, maximum: 12 };
  const weightOf = createRangeWeight(
    () => NOON,
    () => 'day',
    options,
  );
  // 49, 50, 499 and 1461 days
  expect(weightOf({ start: '2025-01-01', end: '2025-02-19' })).toBe(2);
  expect(weightOf({ start: '2025-01-01', end: '2025-02-20' })).toBe(3);
  expect(weightOf({ start: '2024-01-01', end: '2025-05-14' })).toBe(11);
  expect(weightOf({ start: '2021-01-01', end: '2025-01-01' })).toBe(12);
});
