import { expect, test } from 'vitest';
import { ClockProgress } from './clock-progress.ts';

function setUp() {
  const time = { now: 0 };
  const progress = new ClockProgress(() => time.now);
  const advance = (ms: number, slots: bigint) => {
    time.now += ms;
    return progress.advance(slots);
  };
  return advance;
}

test('a few slots at once are always explained, many only by time', () => {
  const advance = setUp();
  expect(advance(0, 10n)).toBeUndefined();
  expect(advance(5, 11n)).toBe(5);
  expect(advance(2_200, 11n)).toBeUndefined();
  expect(advance(2_000, 11n)).toBe(2_000);
});

test('after a pause of this process, slots arrive at once as far as they were due', () => {
  const advance = setUp();
  for (let i = 0; i < 30; i++) expect(advance(400, 1n)).toBeUndefined();
  // 30 slots at 400 ms leave 30 of the fastest ones
  expect(advance(0, 30n)).toBeUndefined();
  expect(advance(0, 11n)).toBe(0);
});

test('what is left over is limited', () => {
  const advance = setUp();
  expect(advance(3_600_000, 1n)).toBeUndefined();
  expect(advance(0, 151n)).toBe(0);
});
