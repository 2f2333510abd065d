import { expect, test } from 'vitest';
import { SlotSampler } from './slot-sampler.ts';

const SLOT_MS = 400;
const SLOTS = 9_000;

/** Pseudo-random, and the same in every run. */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** An hour of slots that cost `costMs` each while they are observed. Returns the share of a core, and the observed slots. */
function runHour(percent: number, costMs: number) {
  let now = 0;
  const sampler = new SlotSampler({ percent, clock: () => now, random: createRandom() });
  const observed: number[] = [];
  for (let slot = 0; slot < SLOTS; slot++) {
    now += SLOT_MS;
    if (!sampler.isOpen()) continue;
    sampler.spend(costMs);
    observed.push(slot);
  }
  return { used: (observed.length * costMs * 100) / now, observed };
}

test('everything is observed within the budget', () => {
  expect(runHour(2, 5).observed).toHaveLength(SLOTS);
});

test('more than the budget is a sample of it', () => {
  const { used } = runHour(2, 80);
  expect(used).toBeGreaterThan(1.8);
  // what was saved before may be spent once
  expect(used).toBeLessThan(2.1);
});

test('the sample is periods of successive slots, at every second of a minute', () => {
  const { observed } = runHour(2, 80);
  const starts = observed.filter((slot, index) => observed[index - 1] !== slot - 1);
  expect(observed.length / starts.length).toBeGreaterThan(5);
  const quarters = starts.map((slot) => Math.floor((((slot * SLOT_MS) / 1000) % 60) / 15));
  expect(new Set(quarters)).toEqual(new Set([0, 1, 2, 3]));
});

test('without a budget nothing is observed', () => {
  expect(runHour(0, 1).observed).toEqual([]);
});
