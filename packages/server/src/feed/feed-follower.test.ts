import { toSlot, toUnixSeconds } from '@tidegate/core/base';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../test/support/fakes/silent-log.ts';
import { FeedFollower } from './feed-follower.ts';
import type { FeedMessage } from './feed-message.ts';
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
