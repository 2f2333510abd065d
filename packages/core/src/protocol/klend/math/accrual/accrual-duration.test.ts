import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../../../test/support/errors/catch-error.ts';
import { releaseRules } from '../../../../../../../test/support/lending/release-rules.ts';
import { assertProperty } from '../../../../../../../test/support/properties/assert-property.ts';
import { toSlot, toUnixSeconds } from '../../../../base/time.ts';
import { NEWEST_LENDING_RULES } from '../../releases.ts';
import {
  accrualDuration,
  durationOfSeconds,
  interestRateBasis,
  isKnownBasis,
  latestTime,
  updateTime,
} from './accrual-duration.ts';

const SLOTS_A_YEAR = 63_072_000n;
const SECONDS_A_YEAR = 31_536_000n;

const at = (slot: bigint, unix: bigint) => ({ slot: toSlot(slot), unix: toUnixSeconds(unix) });
const updated = (slot: bigint, timestamp: number) => ({ slot: toSlot(slot), timestamp });
/** A clock before 1970 cannot be constructed, but a damaged cluster can report it. */
const beforeEpoch = { slot: toSlot(9n), unix: -1n as ReturnType<typeof toUnixSeconds> };

test('a reserve that charges per slot counts slots, whatever the clock says', () => {
  expect(accrualDuration('legacy', updated(10n, 100), at(17n, 50n))).toEqual({
    units: 7n,
    unitsPerYear: SLOTS_A_YEAR,
  });
  const back = catchError(() => accrualDuration('legacy', updated(10n, 100), at(9n, 500n)));
  expect(back?.code).toBe('MATH_OVERFLOW');
});

test.each([
  ['seconds pass', { from: updated(10n, 100), to: at(17n, 103n) }, 3n],
  ['slots pass without a second', { from: updated(10n, 100), to: at(17n, 100n) }, 0n],
  ['a second passes without a slot', { from: updated(10n, 100), to: at(10n, 101n) }, 1n],
  ['the clock goes back', { from: updated(10n, 100), to: at(17n, 97n) }, 0n],
  ['slots go back', { from: updated(10n, 100), to: at(9n, 101n) }, 1n],
  ['no time is stored', { from: updated(10n, 0), to: at(17n, 1_790_003_600n) }, 0n],
  ['no time is stored, before 1970', { from: updated(1n, 0), to: beforeEpoch }, 0n],
])('one that charges per second counts these: %s', (_, { from, to }, units) => {
  expect(accrualDuration('trueApr', from, to)).toEqual({ units, unitsPerYear: SECONDS_A_YEAR });
});

test('a clock before 1970 fails where a time is stored', () => {
  const error = catchError(() => accrualDuration('trueApr', updated(1n, 1), beforeEpoch));
  expect(error?.code).toBe('MATH_OVERFLOW');
});

test('0 and 1 are the known bases; others fail in release 1.25 and mean nothing before', () => {
  const basisOf = (value: number, rules = NEWEST_LENDING_RULES) =>
    interestRateBasis({ interestRateBasis: value }, rules);
  expect([basisOf(0), basisOf(1)]).toEqual(['legacy', 'trueApr']);
  expect(catchError(() => basisOf(2))?.code).toBe('MALFORMED_DATA');
  const before = releaseRules('1.24');
  expect([0, 1, 2].map((value) => basisOf(value, before))).toEqual(['legacy', 'legacy', 'legacy']);
  expect([0, 1, 2, 255].map((value) => isKnownBasis({ interestRateBasis: value }))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('an update stores slot and time, also an earlier one; before release 1.25 only the slot', () => {
  const update = { ...updated(10n, 1_790_000_005), stale: 1 };
  const now = at(12n, 1_790_000_002n);
  const { stale } = update;
  expect(updateTime(update, now, NEWEST_LENDING_RULES)).toEqual({
    slot: 12n,
    timestamp: 1_790_000_002,
    stale,
  });
  expect(updateTime(update, now, releaseRules('1.24'))).toEqual({ ...update, slot: 12n });
});

test.each([-1n, 2n ** 32n])('the time %i does not fit into an account', (unix) => {
  const now = { slot: toSlot(1n), unix: unix as ReturnType<typeof toUnixSeconds> };
  const store = () => updateTime(updated(1n, 1), now, NEWEST_LENDING_RULES);
  expect(catchError(store)?.code).toBe('MATH_OVERFLOW');
});

test('2^32 - 1 fits', () => {
  const { timestamp } = updateTime(updated(1n, 1), at(1n, 2n ** 32n - 1n), NEWEST_LENDING_RULES);
  expect(timestamp).toBe(4_294_967_295);
});

test('the latest of several updates has the largest slot and the largest time', () => {
  const now = at(10n, 100n);
  expect(latestTime(now, [])).toEqual(now);
  expect(latestTime(now, [updated(9n, 101), updated(12n, 0)])).toEqual(at(12n, 101n));
});

test('seconds are two slots each, or seconds', () => {
  expect(durationOfSeconds('legacy', 30n)).toEqual({ units: 60n, unitsPerYear: SLOTS_A_YEAR });
  expect(durationOfSeconds('trueApr', 30n)).toEqual({ units: 30n, unitsPerYear: SECONDS_A_YEAR });
});

const clock = fc.record({
  slots: fc.bigInt(0n, 20n),
  // of the cluster's clock, which lags, stands still and runs back by seconds
  seconds: fc.bigInt(-3n, 8n),
});

test('property: each basis counts its own clock, and no second twice while it runs forward', () => {
  assertProperty(
    fc.property(fc.array(clock, { maxLength: 30 }), (ticks) => {
      let now = at(1_000n, 1_790_000_000n);
      let last = updateTime(updated(0n, 0), now, NEWEST_LENDING_RULES);
      let [slots, seconds, forward] = [0n, 0n, 0n];
      for (const tick of ticks) {
        now = at(now.slot + tick.slots, now.unix + tick.seconds);
        slots += accrualDuration('legacy', last, now).units;
        seconds += accrualDuration('trueApr', last, now).units;
        forward += tick.seconds > 0n ? tick.seconds : 0n;
        last = updateTime(last, now, NEWEST_LENDING_RULES);
      }
      expect(slots).toBe(now.slot - 1_000n);
      // seconds that the clock takes back are counted again, as in the program
      expect(seconds).toBe(forward);
      expect(seconds).toBeGreaterThanOrEqual(now.unix - 1_790_000_000n);
    }),
    200,
  );
});
