import { readFreshness } from '@tidegate/client';
import { expect, test } from 'vitest';
import { pulseOf } from './pulse-tone.ts';

const NOW = 1_800_000_000_000;
const freshness = (ageMs: number, receivedAgoMs = 0) => ({
  ...readFreshness(new Headers({ 'x-slot': '7', 'x-data-age': String(ageMs) })),
  receivedAt: NOW - receivedAgoMs,
});
const connected = (ageMs: number, waitingFor: readonly string[] = []) =>
  pulseOf({ kind: 'connected', waitingFor, freshness: freshness(ageMs) }, NOW);

test.each([
  [0, 'live'],
  [2_999, 'live'],
  [3_000, 'slow'],
  [29_999, 'slow'],
  [30_000, 'lost'],
])('a slot that is %d ms old is %s', (ageMs, tone) => {
  expect(connected(ageMs).tone).toBe(tone);
});

test('the age grows with the time since the response', () => {
  const state = { kind: 'connected', waitingFor: [], freshness: freshness(1_000, 4_000) } as const;
  expect(pulseOf(state, NOW)).toEqual({
    tone: 'slow',
    ageMs: 5_000,
    reason: 'No new slot for 5 sec.',
  });
});

test('the reason names what the server waits for', () => {
  expect(connected(1_000, ['localnet: 200 slots behind']).reason).toBe(
    'New slots arrive. The server waits for: localnet: 200 slots behind.',
  );
});

test('a lost connection is amber while the data is young, then red', () => {
  const lost = (ageMs: number) =>
    pulseOf({ kind: 'lost', reason: 'gone', since: NOW, freshness: freshness(ageMs) }, NOW);
  expect([lost(5_000).tone, lost(60_000).tone, lost(5_000).reason]).toEqual([
    'slow',
    'lost',
    'gone',
  ]);
  const never = { kind: 'lost', reason: 'gone', since: NOW, freshness: undefined } as const;
  expect(pulseOf(never, NOW).tone).toBe('lost');
});
