import { setImmediate } from 'node:timers/promises';
import { toSlot, toUnixSeconds } from '@tidegate/core/base';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../test/support/fakes/silent-log.ts';
import { FeedFollower } from './feed-follower.ts';
import type { FeedMessage, FeedRequest } from './feed-message.ts';
import type { PositionedMessage } from './feed-transport.ts';
import { LocalFeed } from './local-feed.ts';
import { encodeMessage } from './message-codec.ts';

const at = (slot: bigint) => ({ slot: toSlot(slot), unix: toUnixSeconds(1_790_000_000n) });

test('data has the age that it has where the cluster is followed, by a clock that never goes back', async () => {
  const feed = new LocalFeed(silentLog);
  const publish = (message: Omit<FeedMessage, 'accounts'>) =>
    feed.publish(encodeMessage({ accounts: [], ...message }));
  feed.open({
    async *snapshot() {
      yield encodeMessage({ accounts: [], at: at(7n), ageMs: 700 });
    },
    flush: () => undefined,
    handle: async () => undefined,
    reply: () => undefined,
  });
  const snapshot = feed.openSnapshot();
  if (snapshot === undefined) throw new Error('no snapshot');
  let now = 5_000;
  const follower = new FeedFollower({
    source: {
      name: 'local',
      openSnapshot: async () => ({
        position: 0,
        completeAt: 1,
        newestPosition: async () => 0,
        async *chunks() {
          const chunk = await snapshot.next();
          if ('bytes' in chunk) yield chunk.bytes;
        },
      }),
      read: (after) => feed.read(after),
      request: async () => undefined,
      close: () => void feed.close(),
    },
    // a machine whose clock stands still
    clock: () => 0,
    now: () => now,
    log: silentLog,
  });
  onTestFinished(() => follower.stop());
  expect(follower.ageMs()).toBe(0);
  publish({ at: at(7n), ageMs: 900 });
  follower.start();
  await expect.poll(() => follower.ageMs()).toBe(900);
  now += 250;
  expect(follower.ageMs()).toBe(1_150);
  publish({ at: at(8n), ageMs: 3 });
  await expect.poll(() => follower.reader.at().slot).toBe(8n);
  expect(follower.ageMs()).toBe(3);
});

/** A feed whose snapshot is of slot 1, and whose messages are what `list` returns. */
function followScript(messages: () => readonly PositionedMessage[], newestPosition = 0) {
  const requests: FeedRequest[] = [];
  let now = 100_000;
  const advance = (ms: number) => {
    now += ms;
  };
  const replaced: bigint[] = [];
  const follower: FeedFollower = new FeedFollower({
    source: {
      name: 'redis',
      openSnapshot: async () => ({
        position: 0,
        completeAt: 1,
        newestPosition: async () => newestPosition,
        async *chunks() {
          yield encodeMessage({ accounts: [], at: at(1n), ageMs: 0 });
        },
      }),
      async read(after) {
        await setImmediate();
        const found = messages().filter(({ position }) => position > after);
        return { kind: 'messages', messages: found };
      },
      request: async (_, request) => void requests.push(request),
      close: () => undefined,
    },
    clock: () => now,
    now: () => now,
    log: silentLog,
    onReplaced: () => void replaced.push(follower.reader.at().slot),
  });
  onTestFinished(() => follower.stop());
  return { follower, requests, advance, replaced };
}

const slotMessage = (position: number, sentMs: number): PositionedMessage => ({
  position,
  bytes: encodeMessage({ accounts: [], at: at(BigInt(position + 1)), ageMs: 10, sentMs }),
});

test('a state is served when a message was applied that was sent after it was loaded', async () => {
  const messages = [1, 2, 3].map((position) => slotMessage(position, position * 1_000));
  const { follower, requests } = followScript(() => messages, 3);
  const slots: bigint[] = [];
  follower.start();
  // nothing else would arrive while the cluster stands still
  await expect.poll(() => requests[0]).toEqual({ kind: 'flush' });
  expect(follower.status()).toMatchObject({ lastMessageAt: undefined, isCatchingUp: true });
  slots.push(follower.reader.at().slot);
  messages.push(slotMessage(4, 4_000));
  await expect.poll(() => follower.status().lastMessageAt).toBeDefined();
  slots.push(follower.reader.at().slot);
  expect(follower.status().isCatchingUp).toBe(false);
  expect(slots).toEqual([0n, 5n]);
});

test('each state that replaces another one is announced, also the first', async () => {
  const messages = [slotMessage(1, 1_000)];
  const { follower, replaced } = followScript(() => messages);
  follower.start();
  await expect.poll(() => replaced).toEqual([2n]);
  // message 2 is missing, so the snapshot is loaded again
  messages.push(slotMessage(3, 3_000));
  await expect.poll(() => replaced.length).toBeGreaterThan(1);
});

test('messages that waited are as old as they are, for answers and for the readiness', async () => {
  const messages = [slotMessage(1, 1_000)];
  const { follower, advance } = followScript(() => messages);
  follower.start();
  await expect.poll(() => follower.reader.at().slot).toBe(2n);
  expect(follower.ageMs()).toBe(10);
  advance(60_000);
  // sent at once, and read a minute later
  messages.push(slotMessage(2, 1_400));
  await expect.poll(() => follower.reader.at().slot).toBe(3n);
  expect(follower.ageMs()).toBe(59_610);
  expect(follower.status().lastMessageAt).toBe(100_400);
});
