import { expect, test } from 'vitest';
import { readFreshness, readLifetime } from './freshness.ts';

test('the headers of an answer say what its data is', () => {
  const headers = new Headers({
    'x-env': 'localnet',
    'x-slot': '526204357',
    'x-block-time': '2026-11-16T11:59:58.000Z',
    'x-data-age': '1910',
    'x-commitment': 'confirmed',
    'x-gaps': '2026-11-01T00:00:00.000Z/2026-11-02T00:00:00.000Z',
    'x-estimated': 'apy30d, apy90d',
    'x-stale-prices': 'Mint1;age=90, more;count=3',
    'x-omitted': 'Addr1;reason="no price, too old", Addr2;reason="x"',
  });
  expect(readFreshness(headers)).toEqual({
    env: 'localnet',
    slot: 526204357n,
    blockTimeMs: Date.UTC(2026, 10, 16, 11, 59, 58),
    ageMs: 1910,
    commitment: 'confirmed',
    gaps: [{ fromMs: Date.UTC(2026, 10, 1), toMs: Date.UTC(2026, 10, 2) }],
    estimated: ['apy30d', 'apy90d'],
    stalePrices: [
      { name: 'Mint1', parameters: { age: '90' } },
      { name: 'more', parameters: { count: '3' } },
    ],
    omitted: [
      { name: 'Addr1', parameters: { reason: 'no price, too old' } },
      { name: 'Addr2', parameters: { reason: 'x' } },
    ],
    unmodeledRules: [],
    unproven: [],
  });
});

test('a server that says nothing leaves everything undefined or empty', () => {
  expect(readFreshness(new Headers({ 'x-slot': 'x', 'x-data-age': '' }))).toEqual({
    ...{
      env: undefined,
      slot: undefined,
      blockTimeMs: undefined,
      ageMs: undefined,
      commitment: undefined,
    },
    ...{ gaps: [], estimated: [], stalePrices: [], omitted: [], unmodeledRules: [], unproven: [] },
  });
  expect(readLifetime({ headers: new Headers() })).toBeUndefined();
});

test('an unproven kind has its code, its first slot and its reason', () => {
  const header =
    'reserve;code=unknownBytes;since=437203959;detail="byte 8600 (padding) of A is not zero"';
  expect(readFreshness(new Headers({ 'x-unproven': header })).unproven).toEqual([
    {
      name: 'reserve',
      parameters: {
        code: 'unknownBytes',
        since: '437203959',
        detail: 'byte 8600 (padding) of A is not zero',
      },
    },
  ]);
});

test('a built transaction has a lifetime', () => {
  const headers = new Headers({ 'x-blockhash': 'Hash', 'x-last-valid-block-height': '150' });
  expect(readLifetime({ headers })).toEqual({ blockhash: 'Hash', lastValidBlockHeight: 150n });
});
