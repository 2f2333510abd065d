import { toSlot, toUnixSeconds, type UnixSeconds, ZERO_RATIO } from '@tidegate/core/base';
import { type UserSharesChange, ZERO_ACCRUED_VALUE } from '@tidegate/core/views/series';
import { expect, test } from 'vitest';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import { hasSameChanges, type SampledShares, ShareHistoryCache } from './share-history-cache.ts';

const HOUR = 3_600;
const seconds = (value: number): UnixSeconds => toUnixSeconds(BigInt(value));
const position = {
  env: 'localnet',
  wallet: numberedAddress(1),
  vault: numberedAddress(2),
  frequency: 'hour',
} as const;
const EMPTY: SampledShares = { point: undefined, isPriced: true };

const changeAt = (hour: number, shares = 1n): UserSharesChange => ({
  slot: toSlot(BigInt(hour)),
  at: seconds(hour * HOUR),
  shares,
  tokensPerShare: ZERO_RATIO,
});

const progressAt = (hour: number) => ({
  slot: toSlot(BigInt(hour)),
  position: { shares: 0n, rate: undefined, accrued: ZERO_ACCRUED_VALUE },
  sampledRate: undefined,
});

/** A position whose points of the hours from `first` to `last` were computed; the last sample is `late` seconds later. */
function computed({ first = 1, last = 10, late = 0, changes = [changeAt(1)] } = {}) {
  const hours = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return {
    changes,
    known: undefined,
    last: new Map(hours.map((hour) => [seconds(hour * HOUR), { progress: progressAt(hour) }])),
    points: new Map(hours.map((hour) => [seconds(hour * HOUR), EMPTY])),
    newest: seconds(last * HOUR + late),
  };
}

const range = (start: number, end: number) => ({
  start: seconds(start * HOUR),
  end: seconds(end * HOUR),
});

test('the newest hour is final only ten minutes after its end', () => {
  const cache = new ShareHistoryCache(() => 0);
  cache.extend({ ...position, range: range(0, 20) }, computed({ late: 599 }));
  expect(cache.find(position)?.range).toEqual(range(0, 9));
  cache.extend({ ...position, range: range(0, 20) }, computed({ late: 600 }));
  expect(cache.find(position)?.range).toEqual(range(0, 10));
});

test('points are added to the known ones only without a hole between them', () => {
  const cache = new ShareHistoryCache(() => 0);
  cache.extend({ ...position, range: range(0, 20) }, computed({ late: 600 }));
  const known = cache.find(position);
  const later = { ...computed({ first: 15, last: 18, late: 600 }), known };
  cache.extend({ ...position, range: range(15, 20) }, later);
  expect(cache.find(position)?.range).toEqual(range(0, 10));
  const next = { ...computed({ first: 11, last: 12, late: 600 }), known };
  cache.extend({ ...position, range: range(5, 20) }, next);
  expect(cache.find(position)?.range).toEqual(range(0, 12));
  expect(cache.find(position)?.points.size).toBe(12);
});

test('the same addresses in another cluster are another position', () => {
  const cache = new ShareHistoryCache(() => 0);
  cache.extend({ ...position, range: range(0, 20) }, computed({ late: 600 }));
  expect(cache.find(position)).toBeDefined();
  expect(cache.find({ ...position, env: 'devnet' })).toBeUndefined();
});

test('entries expire after an hour and are bounded in bytes', () => {
  let now = 0;
  const cache = new ShareHistoryCache(() => now, 60_000);
  cache.extend({ ...position, range: range(0, 20) }, computed({ late: 600 }));
  expect(cache.bytes).toBe(1_024 + 10 * 4_096 + 256);
  const other = { ...position, vault: numberedAddress(3) };
  cache.extend({ ...other, range: range(0, 20) }, computed({ late: 600 }));
  expect(cache.find(position)).toBeUndefined();
  expect(cache.find(other)).toBeDefined();
  now = HOUR * 1000;
  expect(cache.find(other)).toBeUndefined();
});

test('a late, changed or rolled back change invalidates, a later one does not', () => {
  const shares = {
    range: range(0, 10),
    points: new Map(),
    changes: [changeAt(2), changeAt(5)],
    progress: progressAt(10),
  };
  const always = seconds(100 * HOUR);
  expect(hasSameChanges(shares, [changeAt(2), changeAt(5)], always)).toBe(true);
  expect(hasSameChanges(shares, [changeAt(2), changeAt(5), changeAt(11)], always)).toBe(true);
  expect(hasSameChanges(shares, [changeAt(2), changeAt(3), changeAt(5)], always)).toBe(false);
  expect(hasSameChanges(shares, [changeAt(2), changeAt(5), changeAt(7)], always)).toBe(false);
  expect(hasSameChanges(shares, [changeAt(2), changeAt(5, 2n)], always)).toBe(false);
  expect(hasSameChanges(shares, [changeAt(2)], always)).toBe(false);
  // a request that ends before the second change
  expect(hasSameChanges(shares, [changeAt(2)], seconds(4 * HOUR))).toBe(true);
});
