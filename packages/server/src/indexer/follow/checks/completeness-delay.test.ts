import { toSlot, toUnixSeconds } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { CompletenessDelay } from './completeness-delay.ts';

const slot = (number: number) => toSlot(BigInt(number));

/** Slots 1 to 5 are announced at 0, 100, …, 400 ms. */
function announceFive() {
  const delay = new CompletenessDelay();
  for (let i = 0; i < 5; i++) {
    delay.announce({ slot: slot(i + 1), unix: toUnixSeconds(0n) }, i * 100);
  }
  return delay;
}

test('a slot is due at once while nothing is late', () => {
  expect(announceFive().due(400)?.slot).toBe(5n);
});

test('an update is late since its slot, or a later one, was announced', () => {
  const delay = announceFive();
  expect(delay.latenessOf(slot(3), 450)).toBe(250);
  expect(delay.latenessOf(slot(5), 400)).toBe(0);
  expect(delay.latenessOf(slot(6), 450)).toBeUndefined();
});

test('after a late update, slots wait a quarter and 200 ms longer than it was late', () => {
  const delay = announceFive();
  delay.noteLate(80, 400);
  expect(delay.delayMs).toBe(300);
  expect(delay.due(400)?.slot).toBe(2n);
  expect(delay.due(650)?.slot).toBe(4n);
  delay.noteLate(40, 650);
  expect(delay.delayMs).toBe(300);
});

test('updates that are later than a minute cannot be waited for', () => {
  const delay = announceFive();
  delay.noteLate(90_000, 0);
  expect([delay.delayMs, delay.isEnough]).toEqual([60_000, false]);
  delay.due(60_000);
  expect([delay.delayMs, delay.isEnough]).toEqual([30_000, true]);
});

test('what was announced before updates were missed is not due', () => {
  const delay = announceFive();
  delay.interrupt();
  expect(delay.due(400)).toBeUndefined();
  delay.announce({ slot: slot(4), unix: toUnixSeconds(0n) }, 500);
  expect(delay.due(500)?.slot).toBe(4n);
});
