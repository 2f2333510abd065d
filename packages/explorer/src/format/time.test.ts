import { expect, test } from 'vitest';
import {
  formatAgo,
  formatClock,
  formatDateTime,
  formatDuration,
  formatTimeTick,
  formatUtc,
} from './time.ts';

const NOON = Date.UTC(2026, 10, 16, 12, 3, 41);
const DAY_MS = 86_400_000;

test('times are those of the time zone', () => {
  const tokyo = { locale: 'en-GB', timeZone: 'Asia/Tokyo' };
  expect(formatDateTime(NOON, tokyo)).toBe('16 Nov 2026, 21:03:41');
  expect(formatClock(NOON, tokyo)).toBe('21:03:41');
  expect(formatUtc(NOON)).toBe('2026-11-16 12:03:41 UTC');
});

test.each([
  [0, '0 sec'],
  [2_900, '2 sec'],
  [59_999, '59 sec'],
  [60_000, '1 min'],
  [3_599_999, '59 min'],
  [7_200_000, '2 hr'],
  [3 * DAY_MS, '3 days'],
])('%d ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test('an age is in the past', () => {
  expect(formatAgo(180_000)).toBe('3 min. ago');
  expect(formatAgo(0)).toBe('now');
});

test('a tick of a time axis is as fine as the distance of the ticks', () => {
  const utc = { locale: 'en-GB', timeZone: 'UTC' };
  expect(formatTimeTick(NOON, 3_600_000, utc)).toBe('12:03');
  expect(formatTimeTick(NOON, DAY_MS, utc)).toBe('16 Nov');
  expect(formatTimeTick(NOON, 30 * DAY_MS, utc)).toBe('Nov 26');
  expect(formatTimeTick(NOON, 365 * DAY_MS, utc)).toBe('2026');
});
