import { expect, test } from 'vitest';
import type { Executor } from '#localnet/runtime/transactions/executor.ts';
import { simulatedGenesis } from '../localnet/simulated-genesis.ts';
import { RandomRun } from './random-run.ts';
import { randomWallets } from './random-wallets.ts';

const GENESIS_SEED = 'random operations';
const PEOPLE = 10;
const ACTS = 200;

const slow = { timeout: 120_000 };

type Suite = {
  readonly executor: Executor;
  /** Whether it does what the current programs do, which is what forecasts tell. */
  readonly isCurrent: boolean;
  readonly from: number;
  /** Not run any more. */
  readonly to: number;
};

/** One test for each seed. Those that have ended are in the list that it gives. */
export function testRandomOperations({
  executor,
  isCurrent,
  from,
  to,
}: Suite): readonly RandomRun[] {
  const genesis = simulatedGenesis(GENESIS_SEED);
  const seeds = Array.from({ length: to - from }, (_, i) => String(from + i));
  const runs: RandomRun[] = [];
  test.each(seeds)('seed %s', slow, (seed) => {
    const people = randomWallets(GENESIS_SEED, seed, PEOPLE);
    const run = new RandomRun({
      genesis,
      executor,
      seed,
      people,
      acts: ACTS,
      isForecast: isCurrent,
    });
    run.play();
    runs.push(run);
    expect(run.built).toBeGreaterThan(ACTS / 2);
    expect(run.ends.get('success')).toBeGreaterThan(run.built / 2);
  });
  return runs;
}
