import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { threadId } from 'node:worker_threads';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import type { ClusterStep } from '#localnet/simulation/cluster-step.ts';
import { simulateAndRecord } from '#localnet/simulation/simulate-cluster.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { runFolder } from '../processes/run-folder.ts';
import { SIMULATION_END } from './simulated-genesis.ts';

export type SimulatedPeriod = { readonly seed: string; readonly days: number };

type WriteSteps = (steps: readonly ClusterStep[]) => Promise<void>;

/**
 * Passes the steps of a simulation to a recorder. The first test of a run that needs them simulates
 * and stores them for all others.
 */
export async function simulateSteps(period: SimulatedPeriod, write: WriteSteps): Promise<void> {
  const path = pathOf(period);
  if (path !== undefined && existsSync(path)) {
    for (const steps of readBatches(path)) await write(steps);
    return;
  }
  const batches: (readonly ClusterStep[])[] = [];
  await simulate(period, async (steps) => {
    if (path !== undefined) batches.push(steps);
    await write(steps);
  });
  if (path !== undefined) store(path, batches);
}

/** A file with the batches of steps, for another process. */
export async function storedStepsPath(period: SimulatedPeriod): Promise<string> {
  const path = pathOf(period);
  if (path === undefined) throw new Error('only a test run stores steps');
  if (!existsSync(path)) await simulateSteps(period, async () => undefined);
  return path;
}

const pathOf = ({ seed, days }: SimulatedPeriod): string | undefined => {
  const folder = runFolder();
  return folder === undefined ? undefined : join(folder, `steps-${seed}-${days}`);
};

const readBatches = (path: string) =>
  deserialize(readFileSync(path)) as readonly (readonly ClusterStep[])[];

/** Another worker may store the same file at the same time, so it appears as a whole. */
function store(path: string, batches: readonly (readonly ClusterStep[])[]): void {
  const unfinished = `${path}.${threadId}`;
  writeFileSync(unfinished, serialize(batches));
  renameSync(unfinished, path);
}

async function simulate({ seed, days }: SimulatedPeriod, write: WriteSteps): Promise<void> {
  const executor = createModelExecutor(modelPrograms());
  await simulateAndRecord(
    { seed, days, until: SIMULATION_END },
    { executor, log: silentLog },
    { begin: async () => undefined, write, end: async () => undefined },
  );
}
