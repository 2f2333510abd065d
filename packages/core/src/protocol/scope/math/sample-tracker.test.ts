import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { isWellSampled, trackSample } from './sample-tracker.ts';

/** 64 points of one second each, so a time equals its point. */
const SECONDS = 64n;
const rule = { seconds: SECONDS, minSamples: 3, subPeriods: 3 };

const bits = (...points: readonly number[]) =>
  points.reduce((tracker, point) => tracker | (1n << BigInt(point)), 0n);

test('a sample sets the bit of its time', () => {
  expect(trackSample(0n, SECONDS, { last: 100n, now: 102n })).toBe(bits(38));
});

test('erases the points between the last sample and the new one', () => {
  const old = bits(5, 10, 11, 12, 20);
  expect(trackSample(old, SECONDS, { last: 10n, now: 13n })).toBe(bits(5, 10, 13, 20));
});

test('the points wrap around', () => {
  const old = bits(0, 2, 3, 60, 62, 63);
  expect(trackSample(old, SECONDS, { last: 61n, now: 66n })).toBe(bits(2, 3, 60));
});

test('a full period erases all points', () => {
  expect(trackSample(bits(1, 2, 3), SECONDS, { last: 10n, now: 74n })).toBe(bits(10));
});

test('erases nothing within the same point or the next one', () => {
  const long = { seconds: 640n, minSamples: 2, subPeriods: 1 };
  const old = bits(3, 4);
  expect(trackSample(old, long.seconds, { last: 30n, now: 39n })).toBe(old);
  expect(isWellSampled(old, long, { last: 30n, now: 40n })).toBe(true);
  expect(isWellSampled(old, long, { last: 30n, now: 50n })).toBe(false);
});

test('requires enough samples, including the first and the last part of the period', () => {
  const times = { last: 63n, now: 63n };
  expect(isWellSampled(bits(0, 30, 63), rule, times)).toBe(true);
  expect(isWellSampled(bits(0, 63), rule, times)).toBe(false);
  expect(isWellSampled(bits(30, 31, 63), rule, times)).toBe(false);
  expect(isWellSampled(bits(0, 30, 31), rule, times)).toBe(false);
});

test('divides 64 points into parts of 22, 21 and 21', () => {
  const times = { last: 63n, now: 63n };
  expect(isWellSampled(bits(21, 30, 43), rule, times)).toBe(true);
  expect(isWellSampled(bits(22, 30, 43), rule, times)).toBe(false);
  expect(isWellSampled(bits(21, 30, 42), rule, times)).toBe(false);
});

test('the oldest point is the one after the last sample', () => {
  const times = { last: 10n + 64n, now: 10n + 64n };
  expect(isWellSampled(bits(11, 40, 10), rule, times)).toBe(true);
  expect(isWellSampled(bits(32, 40, 10), rule, times)).toBe(true);
  expect(isWellSampled(bits(33, 40, 10), rule, times)).toBe(false);
});

test('the parts of the period are relative to the last sample, not to now', () => {
  const times = { last: 10n + 64n, now: 20n + 64n };
  expect(isWellSampled(bits(40, 45, 10), rule, times)).toBe(false);
  expect(isWellSampled(bits(32, 45, 10), rule, times)).toBe(true);
});

test('ignores samples that are too old', () => {
  const samples = bits(0, 30, 63);
  expect(isWellSampled(samples, rule, { last: 63n, now: 65n })).toBe(false);
});

test('property: a sample sets its point and no other', () => {
  const count = (value: bigint) => value.toString(2).replaceAll('0', '').length;
  assertProperty(
    fc.property(
      fc.bigInt(0n, 2n ** 64n - 1n),
      fc.bigInt(0n, 10n ** 10n),
      fc.bigInt(0n, 10_000n),
      (tracker, last, wait) => {
        const now = last + wait;
        const tracked = trackSample(tracker, 3600n, { last, now });
        expect((tracked >> (((now * 64n) / 3600n) % 64n)) & 1n).toBe(1n);
        expect(count(tracked)).toBeLessThanOrEqual(count(tracker) + 1);
      },
    ),
    100,
  );
});
