import {
  bucketStarts,
  countBuckets,
  isEmptyRange,
  seriesCost,
  toUnixSeconds,
} from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { parseFrequency, parseTimeRange, rangeLimitIssue } from './time-range-parameters.ts';

const at = (seconds: number | bigint) => toUnixSeconds(BigInt(seconds));
const between = (start: number | bigint, end: number | bigint) => ({
  start: at(start),
  end: at(end),
});

const NOW = at(1_710_000_000);
const DAY = 86_400;

const limits = { minute: BigInt(7 * DAY), hour: BigInt(400 * DAY) };

test('a range defaults to 1970 until now, or to a span before its end', () => {
  expect(parseTimeRange({}, { now: NOW })).toEqual({ range: between(0, NOW) });
  expect(parseTimeRange({}, { now: NOW, spanSeconds: 100n })).toEqual({
    range: between(1_709_999_900, NOW),
  });
  expect(parseTimeRange({ end: '2024-01-01' }, { now: NOW, spanSeconds: 3600n })).toEqual({
    range: between(1_704_063_600, 1_704_067_200),
  });
  expect(parseTimeRange({ start: '2024-01-01', end: '1704067201000' }, { now: NOW })).toEqual({
    range: between(1_704_067_200, 1_704_067_201),
  });
});

test('issues of both parameters are reported, start first', () => {
  const parsed = parseTimeRange({ start: 'then', end: '1704067200' }, { now: NOW });
  expect('issues' in parsed && parsed.issues.map(({ path, code }) => [path, code])).toEqual([
    [['start'], 'invalid_date'],
    [['end'], 'epoch_seconds'],
  ]);
  const late = parseTimeRange({ end: 'now' }, { now: NOW });
  expect('issues' in late && late.issues.map(({ path }) => path)).toEqual([['end']]);
});

test('a range whose end is before its start is empty', () => {
  const parsed = parseTimeRange({ start: '2024-01-02', end: '2024-01-01' }, { now: NOW });
  if ('issues' in parsed) throw new Error('rejected');
  expect(isEmptyRange(parsed.range)).toBe(true);
  expect(countBuckets(parsed.range, 'minute')).toBe(0n);
  expect(bucketStarts(parsed.range, 'minute')).toEqual([]);
  expect(isEmptyRange(between(5, 5))).toBe(true);
  expect(isEmptyRange(between(5, 6))).toBe(false);
});

test('a frequency must be one of the allowed values', () => {
  const options = { allowed: ['hour', 'day'], fallback: 'hour' } as const;
  expect(parseFrequency('day', options)).toEqual({ frequency: 'day' });
  expect(parseFrequency(undefined, options)).toEqual({ frequency: 'hour' });
  for (const text of ['minute', 'Day', '', 'week']) {
    expect(parseFrequency(text, options)).toMatchObject({
      issues: [{ path: ['frequency'], message: 'frequency must be one of hour, day' }],
    });
  }
});

test('a range above the limit suggests a shorter range and a coarser frequency', () => {
  const request = { range: between(0, 8 * DAY), frequency: 'minute' } as const;
  const { points, excess } = seriesCost(request, limits);
  expect(points).toBe(11_520n);
  if (excess === undefined) throw new Error('within the limit');
  expect(excess).toMatchObject({ range: between(DAY, 8 * DAY), frequency: 'hour' });
  expect(rangeLimitIssue(request, excess, { coarser: true })).toEqual({
    path: ['start'],
    code: 'too_big',
    message:
      'a range of minute data must not exceed 7 days. Use start=1970-01-02T00:00:00.000Z&end=1970-01-09T00:00:00.000Z, or frequency=hour',
    maximum: 7,
    smallerRange: { start: '1970-01-02T00:00:00.000Z', end: '1970-01-09T00:00:00.000Z' },
    coarserFrequency: 'hour',
  });
  const withoutFrequency = rangeLimitIssue(request, excess, { coarser: false });
  expect(withoutFrequency.message).not.toContain('frequency=');
  expect(withoutFrequency['coarserFrequency']).toBeUndefined();
});
