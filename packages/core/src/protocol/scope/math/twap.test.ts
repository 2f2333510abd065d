import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { toSlot, toUnixSeconds } from '../../../base/time.ts';
import { emaTwap } from '../layout/oracle-prices.ts';
import { type EmaTwap, enabledPeriods, isTwapValid, twapPrice, updateTwap } from './twap.ts';

const WAD = 10n ** 18n;

const twapWith = (fields: Partial<EmaTwap>): EmaTwap => ({
  ...emaTwap.decode(new DataView(new ArrayBuffer(emaTwap.size)), 0),
  ...fields,
});

const sample = (value: bigint, unix: bigint, slot: bigint) => ({
  price: { value, exp: 0n },
  lastUpdatedSlot: toSlot(slot),
  unixTimestamp: toUnixSeconds(unix),
});

const running = twapWith({
  lastUpdateSlot: toSlot(10n),
  lastUpdateUnixTimestamp: toUnixSeconds(1_000n),
  currentEma1h: 150n * WAD,
  currentEma8h: 150n * WAD,
  currentEma24h: 150n * WAD,
  currentEma7d: 150n * WAD,
});

test('a minute at 151 moves the 1 h average from 150 by 2/61', () => {
  const moved = updateTwap(running, sample(151n, 1_060n, 11n), 1);
  expect(moved.currentEma1h).toBe(150032786885245901639n);
  expect(moved).toMatchObject({ lastUpdateSlot: 11n, lastUpdateUnixTimestamp: 1_060n });
});

test('each enabled period moves by its own weight, and disabled periods do not change', () => {
  const moved = updateTwap(running, sample(151n, 1_060n, 11n), 2 | 8);
  expect(moved.currentEma1h).toBe(150n * WAD);
  expect(moved.currentEma8h).toBe(150n * WAD + (2n * WAD) / 481n);
  expect(moved.currentEma24h).toBe(150n * WAD);
  expect(moved.currentEma7d).toBe(150n * WAD + (2n * WAD) / 10_081n);
  expect([moved.updatesTracker1h, moved.updatesTracker24h]).toEqual([0n, 0n]);
  expect(moved.updatesTracker8h).toBe(1n << ((1_060n * 64n) / 28_800n));
  expect(moved.updatesTracker7d).toBe(1n);
});

test('after a full period the average equals the sample', () => {
  const moved = updateTwap(running, sample(7n, 4_600n, 11n), 15);
  expect(moved.currentEma1h).toBe(7n * WAD);
  expect(moved.currentEma8h).not.toBe(7n * WAD);
});

test('the first sample becomes the average and is not tracked', () => {
  const first = updateTwap(twapWith({}), sample(7n, 4_600n, 11n), 1 | 4);
  expect(first).toMatchObject({
    currentEma1h: 7n * WAD,
    currentEma8h: 0n,
    currentEma24h: 7n * WAD,
    updatesTracker1h: 0n,
    lastUpdateSlot: 11n,
    lastUpdateUnixTimestamp: 4_600n,
  });
});

test('ignores a sample within 30 seconds, of an old slot, of an old time or without enabled periods', () => {
  expect(updateTwap(running, sample(151n, 1_029n, 11n), 15)).toBe(running);
  expect(updateTwap(running, sample(151n, 1_060n, 10n), 15)).toBe(running);
  expect(updateTwap(running, sample(151n, 900n, 11n), 15)).toBe(running);
  expect(updateTwap(running, sample(151n, 1_060n, 11n), 0)).toBe(running);
  expect(updateTwap(running, sample(151n, 1_030n, 11n), 15)).not.toBe(running);
});

test('bits 0 to 3 enable the four periods', () => {
  expect(enabledPeriods(0)).toEqual([]);
  expect(enabledPeriods(0b1001)).toEqual(['1h', '7d']);
  expect(enabledPeriods(0b1111)).toEqual(['1h', '8h', '24h', '7d']);
});

/** A 1 h average with a sample every `step` seconds. */
function sampledEvery(step: bigint, samples: number): EmaTwap {
  let twap = updateTwap(twapWith({}), sample(5n, 100_000n, 1n), 15);
  for (let i = 1n; i <= BigInt(samples); i++) {
    twap = updateTwap(twap, sample(5n, 100_000n + i * step, 1n + i), 15);
  }
  return twap;
}

test('an hour of samples makes only the 1 h average valid', () => {
  const twap = sampledEvery(60n, 60);
  const now = twap.lastUpdateUnixTimestamp;
  expect(isTwapValid(twap, '1h', now)).toBe(true);
  expect(isTwapValid(twap, '8h', now)).toBe(false);
  expect(isTwapValid(twap, '24h', now)).toBe(false);
  expect(isTwapValid(twap, '7d', now)).toBe(false);
});

test('an average is invalid after its samples expire and before its first sample', () => {
  const twap = sampledEvery(60n, 60);
  const last = twap.lastUpdateUnixTimestamp;
  expect(isTwapValid(twap, '1h', toUnixSeconds(last + 3_600n))).toBe(false);
  expect(isTwapValid(twap, '1h', toUnixSeconds(last - 1n))).toBe(false);
});

test('an hour needs at least ten samples', () => {
  const tenth = sampledEvery(389n, 10);
  expect(isTwapValid(tenth, '1h', tenth.lastUpdateUnixTimestamp)).toBe(true);
  const ninth = sampledEvery(420n, 9);
  expect(isTwapValid(ninth, '1h', ninth.lastUpdateUnixTimestamp)).toBe(false);
});

test('twapPrice has 18 digits, rounded half up', () => {
  const priceOf = (currentEma1h: bigint) => twapPrice(twapWith({ currentEma1h }), '1h').price;
  expect(priceOf(150032786885245901639n)).toEqual({ value: 150032786885245902n, exp: 15n });
  expect(priceOf(123n)).toEqual({ value: 123n, exp: 18n });
  expect(priceOf(499999999999999999n)).toEqual({ value: 499999999999999999n, exp: 18n });
  expect(priceOf(500000000000000000n)).toEqual({ value: 50000000000000000n, exp: 17n });
  expect(priceOf(10n ** 17n * WAD)).toEqual({ value: 10n ** 17n, exp: 0n });
  expect(priceOf(0n)).toEqual({ value: 0n, exp: 18n });
  expect(catchError(() => priceOf(2n ** 64n * WAD))?.code).toBe('MATH_OVERFLOW');
});

test('twapPrice has the time of the last sample', () => {
  expect(twapPrice(running, '7d')).toMatchObject({ lastUpdatedSlot: 10n, unixTimestamp: 1_000n });
});

test('property: an average moves toward the sample and not beyond it', () => {
  const prices = fc.bigInt(1n, 10n ** 12n);
  assertProperty(
    fc.property(prices, prices, fc.bigInt(30n, 10_000n), (old, value, wait) => {
      const twap = { ...running, currentEma1h: old * WAD };
      const { currentEma1h } = updateTwap(twap, sample(value, 1_000n + wait, 11n), 1);
      const [low, high] = old < value ? [old, value] : [value, old];
      expect(currentEma1h).toBeGreaterThanOrEqual(low * WAD - 2n);
      expect(currentEma1h).toBeLessThanOrEqual(high * WAD);
    }),
    100,
  );
});
