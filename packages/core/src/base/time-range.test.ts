import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { toUnixSeconds } from './time.ts';
import {
  bucketStart,
  bucketStarts,
  countBuckets,
  defaultFrequency,
  type Frequency,
  intersectRanges,
  isEmptyRange,
  seriesCost,
} from './time-range.ts';

const at = (seconds: number | bigint) => toUnixSeconds(BigInt(seconds));
const between = (start: number | bigint, end: number | bigint) => ({
  start: at(start),
  end: at(end),
});
const DAY = 86_400;

test('intersects an open range with the known range', () => {
  const requested = between(-62_167_219_200n, 253_402_300_800n);
  expect(intersectRanges(requested, between(100, 200))).toEqual(between(100, 200));
  expect(intersectRanges(between(150, 400), between(100, 200))).toEqual(between(150, 200));
  expect(isEmptyRange(intersectRanges(between(300, 400), between(100, 200)))).toBe(true);
});

test('buckets start at UTC minutes, hours and days, also before 1970', () => {
  const instant = at(1_704_072_605); // 2024-01-01T01:30:05Z
  expect(bucketStart(instant, 'minute')).toBe(1_704_072_600n);
  expect(bucketStart(instant, 'hour')).toBe(1_704_070_800n);
  expect(bucketStart(instant, 'day')).toBe(1_704_067_200n);
  expect(bucketStart(at(-1), 'day')).toBe(-86_400n);
  expect(bucketStart(at(-86_400), 'day')).toBe(-86_400n);
});

test('a range has the buckets that start in it', () => {
  expect(bucketStarts(between(0, 3 * DAY), 'day')).toEqual([0n, 86_400n, 172_800n]);
  expect(bucketStarts(between(1, 3 * DAY + 1), 'day')).toEqual([86_400n, 172_800n, 259_200n]);
  expect(bucketStarts(between(1, 3599), 'hour')).toEqual([]);
});

test('property: adjacent ranges share no bucket and skip none', () => {
  const instant = fc.integer({ min: -100_000, max: 100_000 });
  const instants = fc.array(instant, { minLength: 3, maxLength: 3 });
  const frequency = fc.constantFrom<Frequency>('minute', 'hour', 'day');
  assertProperty(
    fc.property(instants, frequency, (three, name) => {
      const [start = 0, middle = 0, end = 0] = three.sort((x, y) => x - y);
      const parts = [between(start, middle), between(middle, end)];
      const joined = parts.flatMap((part) => bucketStarts(part, name));
      const whole = bucketStarts(between(start, end), name);
      expect(joined).toEqual(whole);
      expect(countBuckets(between(start, end), name)).toBe(BigInt(whole.length));
      expect(whole.every((unix) => bucketStart(unix, name) === unix)).toBe(true);
    }),
    100,
  );
});

test('the default is hours up to the limit and days above it', () => {
  expect(defaultFrequency(between(0, 90 * DAY), 90n)).toBe('hour');
  expect(defaultFrequency(between(0, 90 * DAY + 1), 90n)).toBe('day');
  expect(defaultFrequency(between(90 * DAY, 0), 1n)).toBe('hour');
});

const limits = { minute: BigInt(7 * DAY), hour: BigInt(400 * DAY) };

test('a range within the limit has no excess', () => {
  const week = { range: between(0, 7 * DAY), frequency: 'minute' } as const;
  expect(seriesCost(week, limits)).toEqual({ points: 10_080n, excess: undefined });
  const years = { range: between(0, 7000 * DAY), frequency: 'day' } as const;
  expect(seriesCost(years, limits)).toEqual({ points: 7000n, excess: undefined });
});

test('suggests the finest frequency that allows the range, if any', () => {
  const requested = { range: between(0, 401 * DAY), frequency: 'minute' } as const;
  expect(seriesCost(requested, limits).excess?.frequency).toBe('day');
  const short = { ...limits, day: BigInt(366 * DAY) };
  expect(seriesCost(requested, short).excess?.frequency).toBeUndefined();
  const just = { ...limits, day: BigInt(401 * DAY) };
  expect(seriesCost(requested, just).excess?.frequency).toBe('day');
});

test('property: the suggestions are within the limits', () => {
  const instant = fc.integer({ min: 0, max: 10_000 * DAY });
  const frequency = fc.constantFrom<Frequency>('minute', 'hour', 'day');
  assertProperty(
    fc.property(instant, instant, frequency, (start, end, name) => {
      const range = between(start, end);
      const { excess } = seriesCost({ range, frequency: name }, limits);
      if (excess === undefined) return;
      const smaller = { range: excess.range, frequency: name };
      expect(seriesCost(smaller, limits).excess).toBeUndefined();
      const coarser = excess.frequency ?? 'minute';
      expect(seriesCost({ range, frequency: coarser }, limits).excess).toBeUndefined();
    }),
    100,
  );
});
