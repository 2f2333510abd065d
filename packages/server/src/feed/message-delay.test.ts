import { expect, test } from 'vitest';
import { MessageDelay } from './message-delay.ts';

test('a message that waited is late, whatever the zeros of the clocks are', () => {
  let now = 1_000;
  const delay = new MessageDelay(() => now);
  expect(delay.measure(500_000)).toBe(0);
  now += 400;
  expect(delay.measure(500_400)).toBe(0);
  now += 5_000;
  expect(delay.measure(500_800)).toBe(4_600);
  expect(delay.measure(505_400)).toBe(0);
});

test('messages that were read later than they were sent are late once the fastest is known', () => {
  const delay = new MessageDelay(() => 60_000);
  const late = [1_000, 20_000, 59_990].map((sentMs) => delay.measure(sentMs));
  expect(late).toEqual([0, 0, 0]);
  expect(delay.measure(20_000)).toBe(39_990);
});

test('clocks that drift apart cause no delay', () => {
  let now = 0;
  const delay = new MessageDelay(() => now);
  const measured: number[] = [];
  // a second per 10,000 s, for a day
  for (let sentMs = 0; sentMs < 86_400_000; sentMs += 60_000) {
    now = Math.round(sentMs * 1.0001);
    measured.push(delay.measure(sentMs));
  }
  expect(Math.max(...measured)).toBeLessThan(130);
});
