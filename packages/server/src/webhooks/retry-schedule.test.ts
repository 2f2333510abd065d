import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { MAX_ATTEMPTS, parseRetryAfter, pauseAfterFailure } from './retry-schedule.ts';

/** The example schedule of the specification. */
const SPECIFIED = [
  5,
  5 * 60,
  30 * 60,
  2 * 3600,
  5 * 3600,
  10 * 3600,
  14 * 3600,
  20 * 3600,
  24 * 3600,
];

test('without jitter the pauses are those of the specification', () => {
  const pauses = SPECIFIED.map((_, index) =>
    pauseAfterFailure({ tries: index + 1, retryAfterMs: 0, random: 0 }),
  );
  expect(pauses).toEqual(SPECIFIED.map((seconds) => seconds * 1000));
  expect(MAX_ATTEMPTS).toBe(10);
  expect(pauseAfterFailure({ tries: 10, retryAfterMs: 0, random: 0 })).toBeUndefined();
});

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('property: pauses grow with each failure, whatever the jitter', () => {
  assertProperty(
    fc.property(fc.integer({ min: 1, max: 8 }), random, random, (tries, first, second) => {
      const before = pauseAfterFailure({ tries, retryAfterMs: 0, random: first }) ?? 0;
      const after = pauseAfterFailure({ tries: tries + 1, retryAfterMs: 0, random: second }) ?? 0;
      expect(after).toBeGreaterThanOrEqual(before);
    }),
    100,
  );
});

test('property: the jitter adds up to a fifth, and a receiver can only postpone, by a day at most', () => {
  assertProperty(
    fc.property(fc.integer({ min: 1, max: 9 }), random, fc.nat(10 ** 9), (tries, jitter, ms) => {
      const pause = pauseAfterFailure({ tries, retryAfterMs: ms, random: jitter }) ?? 0;
      const planned = (SPECIFIED[tries - 1] ?? 0) * 1000;
      expect(pause).toBeGreaterThanOrEqual(planned);
      expect(pause).toBeLessThanOrEqual(
        Math.max(planned * 1.2, Math.min(ms, 86_400_000 * 1.2)) + 1,
      );
      if (ms <= 86_400_000) expect(pause).toBeGreaterThanOrEqual(ms);
    }),
    100,
  );
});

test('retry-after is a number of seconds or a date; anything else is ignored', () => {
  const now = Date.UTC(2026, 0, 1);
  expect(parseRetryAfter('120', now)).toBe(120_000);
  expect(parseRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT', now)).toBe(60_000);
  expect(parseRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
  for (const text of [undefined, '', 'soon', '-5', '1e9']) {
    expect(parseRetryAfter(text, now)).toBe(0);
  }
});
