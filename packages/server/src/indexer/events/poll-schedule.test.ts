import { CodedError, toSlot } from '@tidegate/core/base';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import type { SubscriptionListener } from '../../chain/source/chain-source.ts';
import { PollSchedule } from './poll-schedule.ts';

const PROGRAMS = [numberedAddress(1), numberedAddress(2)];
const TIMING = { pollMs: 1_000, announcedPollMs: 5_000 };
const NOTHING = { added: 0, isComplete: true };

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A schedule and the listener of its log subscriptions. */
async function startSchedule(ready: () => Promise<void> = () => Promise.resolve()) {
  const listeners: SubscriptionListener[] = [];
  const subscribe = (_: unknown, listener: SubscriptionListener) => {
    listeners.push(listener);
    return { ready: ready(), stop: () => undefined };
  };
  const schedule = new PollSchedule({ source: { subscribe }, programs: PROGRAMS, timing: TIMING });
  schedule.start();
  await vi.advanceTimersByTimeAsync(0);
  const [listener] = listeners;
  if (listener === undefined) throw new Error('no subscription');
  return { schedule, listener };
}

/** Milliseconds until the next poll is due. */
async function measureWait(
  schedule: PollSchedule,
  result: { readonly added: number; readonly isComplete: boolean } = NOTHING,
): Promise<number> {
  const start = Date.now();
  let end: number | undefined;
  void schedule.waitAfter(result).then(() => {
    end = Date.now();
  });
  while (end === undefined) await vi.advanceTimersByTimeAsync(100);
  return end - start;
}

/** Polls until one finds nothing, as after the start. */
async function settle(schedule: PollSchedule): Promise<void> {
  await measureWait(schedule);
}

test('polls are rare while log notifications are reliable and nothing happens', async () => {
  const { schedule } = await startSchedule();
  expect(await measureWait(schedule)).toBe(1_000);
  expect(await measureWait(schedule)).toBe(5_000);
  expect(await measureWait(schedule)).toBe(5_000);
});

test('polls stay frequent if the source has no log notifications', async () => {
  const rejection = new CodedError('SOURCE_REFUSES', { source: 'polling', reason: 'no logs' });
  const { schedule } = await startSchedule(() => Promise.reject(rejection));
  await settle(schedule);
  expect(await measureWait(schedule)).toBe(1_000);
  expect(await measureWait(schedule)).toBe(1_000);
});

test('a log notification ends a long wait, and polls stay frequent until one finds nothing', async () => {
  const { schedule, listener } = await startSchedule();
  await settle(schedule);
  setTimeout(() => listener.onLogs?.(toSlot(7n)), 300);
  expect(await measureWait(schedule)).toBe(300);
  // announced, but not listed yet
  expect(await measureWait(schedule)).toBe(1_000);
  expect(await measureWait(schedule, { added: 1, isComplete: true })).toBe(1_000);
  expect(await measureWait(schedule)).toBe(5_000);
});

test('polls are frequent while the node does not return a listed transaction', async () => {
  const { schedule } = await startSchedule();
  await settle(schedule);
  expect(await measureWait(schedule, { added: 0, isComplete: false })).toBe(1_000);
  expect(await measureWait(schedule)).toBe(5_000);
});

test('a gap causes a poll at once, and polls stay frequent until a notification arrives', async () => {
  const { schedule, listener } = await startSchedule();
  await settle(schedule);
  setTimeout(() => listener.onGap('connection lost'), 200);
  expect(await measureWait(schedule)).toBe(200);
  for (let i = 0; i < 5; i++) expect(await measureWait(schedule)).toBe(1_000);
  setTimeout(() => listener.onLogs?.(toSlot(7n)), 500);
  expect(await measureWait(schedule)).toBe(500);
  expect(await measureWait(schedule)).toBe(1_000);
  expect(await measureWait(schedule)).toBe(5_000);
});

test('polls stay frequent after one that found a transaction without a notification', async () => {
  const { schedule } = await startSchedule();
  await settle(schedule);
  expect(await measureWait(schedule)).toBe(5_000);
  expect(await measureWait(schedule, { added: 1, isComplete: true })).toBe(1_000);
  for (let i = 0; i < 5; i++) expect(await measureWait(schedule)).toBe(1_000);
});
