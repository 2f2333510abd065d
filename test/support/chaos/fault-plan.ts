import { createSeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';

/** Seeds 1 to 3 together have every fault, and so have 4 to 6, and so on. */
const SEEDS_PER_ROUND = 3;
/** A round whose faults are found quickly. */
const DEFAULT_SEEDS = [4, 5, 6];

/** CHAOS_FAULTS: a pattern for the names of the faults that run, each with every seed. */
const { CHAOS_FAULTS } = process.env;

export type ChaosSettings = { readonly seeds: readonly number[] };

/** CHAOS_SEED runs one seed, CHAOS_SEEDS the seeds from 1 to a number. */
export function readChaosSettings(): ChaosSettings {
  const { CHAOS_SEED: seed, CHAOS_SEEDS: count } = process.env;
  if (seed !== undefined) return { seeds: [Number(seed)] };
  if (count === undefined) return { seeds: DEFAULT_SEEDS };
  return { seeds: Array.from({ length: Number(count) }, (_, i) => i + 1) };
}

/** The faults of a seed in their order: its part of all of them, shuffled for its round. */
export function planFaults(seed: number): readonly Fault[] {
  const round = Math.floor((seed - 1) / SEEDS_PER_ROUND);
  if (CHAOS_FAULTS !== undefined) {
    const pattern = new RegExp(CHAOS_FAULTS);
    return faults.filter(({ name }) => pattern.test(name));
  }
  const part = (seed - 1) % SEEDS_PER_ROUND;
  return shuffle(faults, `round ${round}`).filter((_, i) => i % SEEDS_PER_ROUND === part);
}

function shuffle<Item>(items: readonly Item[], seed: string): readonly Item[] {
  const random = createSeededRandom(seed);
  const left = [...items];
  return items.flatMap(() => left.splice(Number(random.between(0n, BigInt(left.length - 1))), 1));
}
