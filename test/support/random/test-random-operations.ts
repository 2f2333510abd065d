import { expect, test } from 'vitest';
import type { Executor } from '#localnet/runtime/transactions/executor.ts';
import { simulatedGenesis } from '../localnet/simulated-genesis.ts';
import { RandomRun } from './random-run.ts';
import { randomWallets } from './random-wallets.ts';

const GENESIS_SEED = 'random operations';
const WALLETS = 10;
const ACTIONS = 200;

type Suite = {
  readonly executor: Executor;
  /** Whether the executor behaves like the current programs, which the previews model. */
  readonly isCurrent: boolean;
  readonly seedCount: number;
};

/** Adds one test per seed. Returns the list that completed runs are added to. */
export function testRandomOperations({
  executor,
  isCurrent,
  seedCount,
}: Suite): readonly RandomRun[] {
  const genesis = simulatedGenesis(GENESIS_SEED);
  const seeds = Array.from({ length: seedCount }, (_, i) => String(i));
  const runs: RandomRun[] = [];
  test.each(seeds)('seed %s', (seed) => {
    const wallets = randomWallets(GENESIS_SEED, seed, WALLETS);
    const run = new RandomRun({
      genesis,
      executor,
      seed,
      wallets,
      actions: ACTIONS,
      hasPreviews: isCurrent,
    });
    run.run();
    runs.push(run);
    expect(run.built).toBeGreaterThan(ACTIONS / 2);
    expect(run.outcomes.get('success')).toBeGreaterThan(run.built / 2);
  });
  return runs;
}
