import { randomInt } from 'node:crypto';

/** One more than the largest seed that is chosen. */
const SEEDS = 2 ** 31;

/** The seed in TEST_SEED, or a random one. Throws if it is not a whole number: another seed would not repeat the run. */
export function readSeed(text = process.env['TEST_SEED']): number {
  if (text === undefined) return randomInt(SEEDS);
  if (!/^\d{1,10}$/.test(text)) throw new Error(`TEST_SEED must be a whole number, not "${text}".`);
  return Number(text);
}
