import { expect, test } from 'vitest';
import { SnapshotSchedule } from './snapshot-schedule.ts';

function scheduleAt() {
  const clock = { now: 0 };
  const schedule = new SnapshotSchedule(undefined, () => clock.now);
  const send = (messages: number, bytes = 1_000) => {
    for (let i = 0; i < messages; i++) schedule.countMessage(bytes);
  };
  /** A snapshot that takes this time. */
  const write = (ms: number, bytes: number) => {
    schedule.begin();
    clock.now += ms;
    schedule.countChunk(bytes);
    schedule.complete();
  };
  return { clock, schedule, send, write };
}

test('a small state has a snapshot every 150 messages', () => {
  const { clock, schedule, send, write } = scheduleAt();
  write(10, 0);
  clock.now += 1_000;
  send(149);
  expect(schedule.isDue()).toBe(false);
  send(1);
  expect(schedule.isDue()).toBe(true);
});

test('a snapshot takes at most a twentieth of the time', () => {
  const { clock, schedule, send, write } = scheduleAt();
  write(5_000, 0);
  send(150);
  clock.now += 99_999;
  expect(schedule.isDue()).toBe(false);
  clock.now += 1;
  expect(schedule.isDue()).toBe(true);
});

test('a snapshot of many bytes is written less often', () => {
  const { clock, schedule, send, write } = scheduleAt();
  write(100, 230e6);
  send(150);
  clock.now += 229_999;
  expect(schedule.isDue()).toBe(false);
  clock.now += 1;
  expect(schedule.isDue()).toBe(true);
});

test('after 1,500 messages it is due, however long the last one took', () => {
  const { schedule, send, write } = scheduleAt();
  write(600_000, 0);
  send(1_499);
  expect(schedule.isDue()).toBe(false);
  send(1);
  expect(schedule.isDue()).toBe(true);
});
