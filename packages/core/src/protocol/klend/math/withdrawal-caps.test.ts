import { expect, test } from 'vitest';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import {
  addToWithdrawalAccum,
  remainingWithdrawalCap,
  subFromWithdrawalAccum,
  type WithdrawalCaps,
} from './withdrawal-caps.ts';

const start = toUnixSeconds(1000n);
const later = (seconds: bigint) => toUnixSeconds(1000n + seconds);

const caps: WithdrawalCaps = {
  configCapacity: 100n,
  currentTotal: 30n,
  lastIntervalStartTimestamp: start,
  configIntervalLengthSeconds: 60n,
};

test('allows the remaining capacity and not a lamport more', () => {
  expect(remainingWithdrawalCap(caps, later(10n))).toBe(70n);
  expect(addToWithdrawalAccum(caps, 70n, later(10n)).currentTotal).toBe(100n);
  expect(() => addToWithdrawalAccum(caps, 71n, later(10n))).toThrow(/WithdrawalCapReached/);
});

test('an inflow increases the capacity, also below zero', () => {
  const more = subFromWithdrawalAccum(caps, 50n, later(10n));
  expect(more.currentTotal).toBe(-20n);
  expect(remainingWithdrawalCap(more, later(10n))).toBe(120n);
});

test('a finished interval restarts with the next change', () => {
  expect(remainingWithdrawalCap(caps, later(60n))).toBe(100n);
  expect(addToWithdrawalAccum(caps, 5n, later(60n))).toMatchObject({
    currentTotal: 5n,
    lastIntervalStartTimestamp: 1060n,
  });
  expect(remainingWithdrawalCap(caps, later(59n))).toBe(70n);
});

test('a capacity of zero or below allows nothing', () => {
  expect(remainingWithdrawalCap({ ...caps, configCapacity: 0n, currentTotal: 0n }, start)).toBe(0n);
  expect(remainingWithdrawalCap({ ...caps, configCapacity: -1n, currentTotal: -9n }, start)).toBe(
    0n,
  );
});

test('without an interval there is no cap, but the counter still counts up to 64 bits', () => {
  const free = { ...caps, configIntervalLengthSeconds: 0n };
  expect(remainingWithdrawalCap(free, start)).toBe(U64_MAX);
  expect(addToWithdrawalAccum(free, 1_000_000n, start).currentTotal).toBe(1_000_030n);
  const most = 0x7fff_ffff_ffff_ffffn;
  expect(addToWithdrawalAccum(free, most, start).currentTotal).toBe(most);
  expect(() => addToWithdrawalAccum(free, most + 1n, start)).toThrow(/MathOverflow/);
});

test('an interval that starts in the future throws', () => {
  expect(() => subFromWithdrawalAccum(caps, 1n, toUnixSeconds(999n))).toThrow(
    /LastTimestampGreaterThanCurrent/,
  );
});
