import { expect, test } from 'vitest';
import { SlotSampler } from './slot-sampler.ts';

/** Pseudo-random, and the same in every run. */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Slots of 400 ms for an hour of which each would take `costMs`. Returns the share of a core, and the tried slots. */
function runHour(percent: number, costMs: number) {
  let now = 0;
  const sampler = new SlotSampler({ percent, clock: () => now, random: createRandom() });
  const tried: number[] = [];
  for (let slot = 0; slot < 9_000; slot++) {
    now += 400;
    if (!sampler.accepts()) continue;
    sampler.spend(costMs);
    tried.push(slot);
  }
  return { used: (tried.length * costMs * 100) / now, tried };
}

test('everything is tried within the budget', () => {
  expect(runHour(2, 5).tried).toHaveLength(9_000);
});

test('more than the budget is a sample of it', () => {
  const { used, tried } = runHour(2, 80);
  expect(used).toBeGreaterThan(1.8);
  // what was saved before may be spent once
  expect(used).toBeLessThan(2.1);
  const halves = [tried.filter((slot) => slot % 2 === 0), tried.filter((slot) => slot % 2 === 1)];
  for (const half of halves) expect(half.length / tried.length).toBeGreaterThan(0.4);
});

test('without a budget nothing is tried', () => {
  expect(runHour(0, 1).tried).toEqual([]);
});
