import { expect, test } from 'vitest';
import { allowsBurst, eventsOf, type LiveEvent, mergeEvents, queryDelayMs } from './live-events.ts';

test('queries use a fifth of the quota, and at most a few per second', () => {
  // 120 of 600 units per minute are 6 queries of 20 units
  expect(queryDelayMs(600)).toBe(10_000);
  expect(queryDelayMs(600_000)).toBe(400);
});

test('all feeds are queried at once only if a fifth of the quota is enough', () => {
  // 18 queries are 360 units
  expect([allowsBurst(600, 18), allowsBurst(1_800, 18), allowsBurst(1_799, 18)]).toEqual([
    false,
    true,
    false,
  ]);
});

test('each instruction of a transaction is an event', () => {
  const page = {
    obligationTransactions: [
      {
        ixs: [
          { instruction: 'repay', reserve: 'A', tokenAmount: '2.5' },
          { instruction: 'initObligation' },
        ],
        timestamp: '2026-01-01T00:00:00.000Z',
        signature: 'S',
        wallet: 'W',
        obligation: 'O',
      },
    ],
  };
  expect(eventsOf(page, 'repay')).toEqual([
    expect.objectContaining({
      instruction: 'repay',
      place: 'A',
      amount: '2.5',
      time: 1767225600000,
    }),
    expect.objectContaining({ instruction: 'initObligation', amount: undefined }),
  ]);
});

const event = (key: string, time: number) => ({ key, time }) as LiveEvent;

test('events are merged newest first, each once', () => {
  const merged = mergeEvents([event('a', 1), event('b', 2)], [event('c', 3), event('b', 2)], 2);
  expect(merged.map(({ key }) => key)).toEqual(['c', 'b']);
});
