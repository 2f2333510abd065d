import { toUnixSeconds } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { isSampleDue, minutesBetween } from './sample-minutes.ts';

const at = (time: string) => toUnixSeconds(BigInt(Date.parse(`2026-05-01T${time}Z`) / 1_000));

test.each([
  ['12:00:00', undefined, true],
  ['12:00:31', undefined, true],
  // several slots of the first second
  ['12:01:00', '12:01:00', true],
  ['12:01:01', '12:01:00', false],
  ['12:01:59', '12:01:00', false],
  // no slot in the first second of a minute
  ['12:02:03', '12:01:00', true],
  ['12:02:04', '12:02:03', false],
])('at %s, sampled at %s: %s', (now, sampled, isDue) => {
  expect(isSampleDue(at(now), sampled === undefined ? undefined : at(sampled))).toBe(isDue);
});

test('minutes are counted by where they begin', () => {
  expect(minutesBetween(at('12:00:59'), at('12:01:00'))).toBe(1n);
  expect(minutesBetween(at('12:00:00'), at('12:00:59'))).toBe(0n);
  expect(minutesBetween(at('12:00:59'), at('12:03:01'))).toBe(3n);
});
