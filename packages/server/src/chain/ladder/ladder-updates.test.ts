import { toSlot } from '@tidegate/core/base';
import { expect, test, vi } from 'vitest';
import type { SubscriptionListener } from '../source/chain-source.ts';
import { LadderUpdates } from './ladder-updates.ts';
import type { UpdateStream } from './step-run.ts';

/** A connected stream that announces slots when the test says so. */
function createStream() {
  const listeners: SubscriptionListener[] = [];
  const stream: UpdateStream = {
    subscribe: (_target, listener) => {
      listeners.push(listener);
      return { ready: Promise.resolve(), stop: () => undefined };
    },
    status: () => [
      { name: 'fake', connected: true, lastError: undefined, slot: undefined, lagSlots: undefined },
    ],
    close: () => undefined,
  };
  const announce = (slot: bigint) => {
    for (const { onSlot } of listeners) onSlot(toSlot(slot), undefined);
  };
  return { stream, announce };
}

test('a step that announces no slots is left, but not because this process was too busy to read them', async () => {
  vi.useFakeTimers();
  try {
    const time = { now: 0, newest: 100n };
    const [first, second] = [createStream(), createStream()];
    const updates = new LadderUpdates(
      [
        { name: 'websocket', open: () => first.stream },
        { name: 'polling', open: () => second.stream },
      ],
      {
        newestSlot: () => toSlot(time.newest),
        now: () => time.now,
        random: () => 0,
        log: { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() },
        timing: { failAfterMs: 6_000 },
        checkMs: 500,
      },
    );
    const check = (ms: number) => {
      time.now += ms;
      vi.advanceTimersByTime(500);
      return updates.status().step;
    };
    const listener = {
      onAccount: () => undefined,
      onSlot: () => undefined,
      onGap: () => undefined,
    };
    await updates.subscribe({ kind: 'slots' }, listener).ready;
    first.announce(100n);
    expect(check(500)).toBe('websocket');
    time.newest = 200n;
    expect(check(20_000), 'a check is 19.5 s late').toBe('websocket');
    expect(check(500)).toBe('websocket');
    first.announce(150n);
    for (let ms = 0; ms < 5_500; ms += 500) expect(check(500)).toBe('websocket');
    expect(check(500), 'no slot for 6 s').toBe('polling');
    updates.close();
  } finally {
    vi.useRealTimers();
  }
});

test('a step that lost updates is left, unless another one is active already', async () => {
  const { stream } = createStream();
  const updates = new LadderUpdates(
    [
      { name: 'websocket', open: () => stream },
      { name: 'polling', open: () => createStream().stream },
    ],
    {
      newestSlot: () => toSlot(1n),
      now: () => 0,
      random: () => 0,
      log: { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() },
    },
  );
  const gaps: string[] = [];
  const listener = {
    onAccount: () => undefined,
    onSlot: () => undefined,
    onGap: (reason: string) => gaps.push(reason),
  };
  updates.reportLoss('websocket', 'before it is open');
  await updates.subscribe({ kind: 'slots' }, listener).ready;
  updates.reportLoss('grpc', 'of another one');
  expect(updates.status().step).toBe('websocket');
  updates.reportLoss('websocket', 'updates were lost');
  expect(updates.status()).toMatchObject({
    step: 'polling',
    reason: 'websocket: updates were lost',
    steps: [{ retryInMs: 600_000 }, {}],
  });
  await expect.poll(() => gaps).toEqual(['websocket: updates were lost']);
  updates.reportLoss('polling', 'updates were lost');
  expect(updates.status().step, 'the last one stays').toBe('polling');
  updates.close();
});
