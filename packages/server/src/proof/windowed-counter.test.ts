import { expect, test } from 'vitest';
import { WindowedCounter } from './windowed-counter.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('what is older than an hour or a day leaves its window, and stays in the total', () => {
  const counter = new WindowedCounter();
  counter.add('proven', 0);
  counter.add('proven', 30 * MINUTE, 2);
  counter.add('differing', 5 * HOUR);
  const counts = (now: number) => {
    const { hour, day, sinceStart } = counter.read(now);
    return [hour, day, sinceStart].map((each) => Object.fromEntries(each));
  };
  const total = { proven: 3, differing: 1 };
  expect(counts(5 * HOUR)).toEqual([{ differing: 1 }, total, total]);
  expect(counts(23.5 * HOUR)).toEqual([{}, total, total]);
  expect(counts(24 * HOUR)).toEqual([{}, { differing: 1 }, total]);
  expect(counts(48 * HOUR)).toEqual([{}, {}, total]);
});
