import { expect, test } from 'vitest';
import { PeriodicValue } from './periodic-value.ts';

type Outcome = 'known' | 'unknown' | 'failed' | 'hangs';

function start() {
  const state = { ms: 0, calls: 0, warnings: 0, outcome: 'known' as Outcome };
  const ignore = () => undefined;
  const value = new PeriodicValue({
    compute: async () => {
      state.calls += 1;
      if (state.outcome === 'failed') throw new Error('no database');
      if (state.outcome === 'hangs') await new Promise(ignore);
      return state.outcome === 'known' ? state.calls : undefined;
    },
    clock: () => state.ms,
    name: 'value',
    log: { debug: ignore, info: ignore, error: ignore, warn: () => (state.warnings += 1) },
  });
  const at = async (seconds: number, outcome: Outcome = 'known') => {
    state.outcome = outcome;
    state.ms = seconds * 1000;
    const refreshed = value.refreshIfStale();
    if (outcome !== 'hangs') await refreshed;
    return value.current();
  };
  return { state, value, at };
}

test('a known value is computed once a minute, an unknown one every ten seconds', async () => {
  const { at } = start();
  expect(await at(0, 'unknown')).toBeUndefined();
  expect(await at(9.9)).toBeUndefined();
  expect(await at(10)).toBe(2);
  expect(await at(69.9)).toBe(2);
  expect(await at(70)).toBe(3);
});

test('a failure drops the value, and only the first of a row is logged', async () => {
  const { state, at, value } = start();
  expect(await at(0)).toBe(1);
  const version = value.version();
  expect(await at(60, 'failed')).toBeUndefined();
  expect(value.version()).toBeGreaterThan(version);
  expect(await at(70, 'failed')).toBeUndefined();
  expect([state.calls, state.warnings]).toEqual([3, 1]);
  expect(await at(80)).toBe(4);
});

test('a computation that does not end keeps the value for five minutes', async () => {
  const { state, at, value } = start();
  expect(await at(0)).toBe(1);
  expect(await at(60, 'hangs')).toBe(1);
  expect(await at(360, 'hangs')).toBe(1);
  const version = value.version();
  expect(await at(361, 'hangs')).toBeUndefined();
  expect(value.version()).toBeGreaterThan(version);
  expect(state.calls).toBe(2);
});
