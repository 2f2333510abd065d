import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FollowTask, PollSchedule, type RoundResult } from './poll-schedule.ts';

const TIMING = {
  pollMs: 1_000,
  unannouncedPollMs: 15_000,
  announcedPollMs: 60_000,
  streamedPollMs: 600_000,
  gatherMs: 100,
  doubtMs: 5_000,
  requestMs: 200,
};
const POLLED: RoundResult = { task: 'poll', unannounced: 0, isSettled: true };
const RECORDED: RoundResult = { task: 'announced', unannounced: 0, isSettled: true };

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function startSchedule({ isReliable = true, isStreamed = false } = {}) {
  const announcements = {
    isReliable,
    isStreamed,
    reportMissed() {
      announcements.isReliable = false;
    },
  };
  return { announcements, schedule: new PollSchedule({ announcements, timing: TIMING }) };
}

/** The next task, and the milliseconds until it is due. */
async function measureNext(
  schedule: PollSchedule,
  last: RoundResult = POLLED,
): Promise<readonly [FollowTask, number]> {
  const start = performance.now();
  let next: readonly [FollowTask, number] | undefined;
  void schedule.next(last).then((task) => {
    next = [task, performance.now() - start];
  });
  await vi.advanceTimersByTimeAsync(0);
  while (next === undefined) await vi.advanceTimersByTimeAsync(50);
  return next;
}

test('lists are polled once a minute while transactions are announced', async () => {
  const { schedule } = startSchedule();
  expect(await measureNext(schedule)).toEqual(['poll', 60_000]);
  expect(await measureNext(schedule)).toEqual(['poll', 60_000]);
});

test('lists are polled more often while they are not, and rarely if whole transactions arrive', async () => {
  const { schedule: unannounced } = startSchedule({ isReliable: false });
  expect(await measureNext(unannounced)).toEqual(['poll', 15_000]);
  const { schedule: streamed } = startSchedule({ isStreamed: true });
  expect(await measureNext(streamed)).toEqual(['poll', 600_000]);
});

test('announced transactions are gathered for a moment, and do not postpone the next poll', async () => {
  const { schedule } = startSchedule();
  setTimeout(() => schedule.requestAnnounced(), 30_000);
  setTimeout(() => schedule.requestAnnounced(), 30_060);
  expect(await measureNext(schedule)).toEqual(['announced', 30_100]);
  expect(await measureNext(schedule, RECORDED)).toEqual(['poll', 29_900]);
});

test('what is announced during a round is recorded in the next one', async () => {
  const { schedule } = startSchedule();
  schedule.requestAnnounced();
  expect((await measureNext(schedule))[0]).toBe('announced');
  schedule.requestAnnounced(0);
  expect(await measureNext(schedule, RECORDED)).toEqual(['announced', 0]);
});

test('polls are frequent after one that found something, is incomplete or undid something', async () => {
  const { schedule } = startSchedule();
  expect(await measureNext(schedule, { ...POLLED, unannounced: 3 })).toEqual(['poll', 1_000]);
  expect(await measureNext(schedule, { ...POLLED, isSettled: false })).toEqual(['poll', 1_000]);
});

test('a requested poll comes at once, but not back to back', async () => {
  const { schedule } = startSchedule();
  setTimeout(() => schedule.requestPoll(), 10_000);
  expect(await measureNext(schedule)).toEqual(['poll', 10_000]);
  schedule.requestPoll();
  expect(await measureNext(schedule)).toEqual(['poll', 200]);
  expect(await measureNext(schedule)).toEqual(['poll', 60_000]);
});

test('after a regular poll that found a transaction without an announcement, they are not trusted', async () => {
  const { schedule, announcements } = startSchedule();
  await measureNext(schedule);
  expect(await measureNext(schedule, { ...POLLED, unannounced: 1 })).toEqual(['poll', 1_000]);
  expect(announcements.isReliable).toBe(false);
  expect(await measureNext(schedule)).toEqual(['poll', 15_000]);
  // a requested poll may be faster than the announcement
  announcements.isReliable = true;
  schedule.requestPoll();
  await measureNext(schedule);
  await measureNext(schedule, { ...POLLED, unannounced: 1 });
  expect(announcements.isReliable).toBe(true);
});

test('a change without an announced transaction causes a poll, at most one in five seconds', async () => {
  const { schedule } = startSchedule();
  setTimeout(() => schedule.noteDoubt(), 2_000);
  expect(await measureNext(schedule)).toEqual(['poll', 5_000]);
  setTimeout(() => schedule.noteDoubt(), 20_000);
  expect(await measureNext(schedule)).toEqual(['poll', 20_000]);
});

test('a change during a poll causes another one', async () => {
  const { schedule } = startSchedule();
  await measureNext(schedule);
  schedule.noteDoubt();
  expect(await measureNext(schedule)).toEqual(['poll', 5_000]);
  expect(await measureNext(schedule)).toEqual(['poll', 60_000]);
});

test('a stop ends every wait', async () => {
  const { schedule } = startSchedule();
  setTimeout(() => schedule.stop(), 1_000);
  expect((await measureNext(schedule))[1]).toBe(1_000);
  await schedule.waitAfterFailure(60_000);
  expect(schedule.isStopped).toBe(true);
});
