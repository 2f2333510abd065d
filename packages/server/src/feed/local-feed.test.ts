import { expect, test, vi } from 'vitest';
import { silentLog } from '../../../../test/support/fakes/silent-log.ts';
import type { FeedOrigin } from './feed-transport.ts';
import { LocalFeed } from './local-feed.ts';

const bytesOf = (value: number, length = 1) => new Uint8Array(length).fill(value);

/** An origin whose snapshot has two chunks. */
function openFeed() {
  const feed = new LocalFeed(silentLog);
  const origin: FeedOrigin = {
    async *snapshot() {
      yield bytesOf(101);
      yield bytesOf(102);
    },
    flush: () => feed.publish(bytesOf(99)),
    handle: async () => undefined,
    reply: vi.fn(),
  };
  return { feed, origin };
}

test('there is no snapshot before the first state', () => {
  const { feed, origin } = openFeed();
  expect(feed.openSnapshot()).toBeUndefined();
  feed.open(origin);
  expect(feed.openSnapshot()).toMatchObject({ position: 0 });
});

test('a snapshot is complete at a message after its last chunk', async () => {
  const { feed, origin } = openFeed();
  feed.open(origin);
  feed.publish(bytesOf(1));
  const snapshot = feed.openSnapshot();
  expect(snapshot?.position).toBe(1);
  expect(await snapshot?.next()).toEqual({ bytes: bytesOf(101) });
  feed.publish(bytesOf(2));
  expect(await snapshot?.next()).toEqual({ bytes: bytesOf(102) });
  expect(await snapshot?.next()).toEqual({ completeAt: 3 });
  expect(await feed.read(1)).toEqual({
    kind: 'messages',
    messages: [
      { position: 2, bytes: bytesOf(2) },
      { position: 3, bytes: bytesOf(99) },
    ],
  });
});

test('a reader waits for the next message', async () => {
  const { feed } = openFeed();
  const read = feed.read(0);
  feed.publish(bytesOf(7));
  expect(await read).toEqual({
    kind: 'messages',
    messages: [{ position: 1, bytes: bytesOf(7) }],
  });
});

test('a reader that is too far behind has to load a new snapshot', async () => {
  const { feed } = openFeed();
  for (let i = 0; i < 70; i++) feed.publish(bytesOf(i, 2 ** 20));
  expect(await feed.read(0)).toMatchObject({ kind: 'superseded' });
  expect(await feed.read(69)).toMatchObject({ messages: [{ position: 70 }] });
});

test('a request is handled and replied to', async () => {
  const { feed, origin } = openFeed();
  feed.open(origin);
  feed.request('id', { kind: 'events', slot: 1n as never });
  await expect.poll(() => vi.mocked(origin.reply).mock.calls).toEqual([['id', undefined]]);
});

test('a feed that is closed rejects its readers', async () => {
  const { feed } = openFeed();
  const read = feed.read(0);
  await feed.close();
  await expect(read).rejects.toThrow('it is closed');
});
