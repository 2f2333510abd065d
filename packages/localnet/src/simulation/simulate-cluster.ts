import type { Logger } from '@tidegate/core/base';
import { createLocalCluster, type LocalCluster } from '../cluster/cluster.ts';
import type { ClusterMetadata } from '../genesis/cluster-metadata.ts';
import { type GenesisPlan, metadataOfPlan } from '../genesis/genesis.ts';
import { timeOfSlot } from '../runtime/slot-time.ts';
import type { Executor } from '../runtime/transactions/executor.ts';
import type { ClusterSnapshot } from '../storage/cluster-snapshot.ts';
import { unpackAccounts } from '../storage/packed-account.ts';
import type { ClusterStep } from './cluster-step.ts';
import { createSimulation, type SimulationSetup } from './setup/simulation-setup.ts';
import { type SimulationProgress, simulateHistory } from './simulate-history.ts';
import { StepCollector } from './step-collector.ts';

/** A cluster with its simulated history and the metadata that is not on chain. */
export type SimulatedCluster = {
  readonly cluster: LocalCluster;
  readonly plan: GenesisPlan;
  readonly metadata: ClusterMetadata;
};

type SimulateOptions = {
  readonly executor: Executor;
  readonly log: Logger;
  readonly onStep?: (progress: SimulationProgress) => void;
};

/** Stores the simulated history. The simulation waits for each call. */
export type SimulationRecorder = {
  begin(plan: GenesisPlan, metadata: ClusterMetadata): Promise<void>;
  /** The genesis step comes first; steps are in chain order. */
  write(steps: readonly ClusterStep[]): Promise<void>;
  end(): Promise<void>;
};

/**
 * Creates a cluster and simulates its history. The same plan gives the same bytes and signatures on
 * any machine.
 */
export function simulateCluster(plan: GenesisPlan, options: SimulateOptions): SimulatedCluster {
  const { executor, log, onStep } = options;
  const simulation = createSimulation({ ...plan, executor, log });
  for (const progress of simulateHistory(simulation)) onStep?.(progress);
  return toSimulatedCluster(simulation, plan, executor);
}

/** Steps per `write` call. */
const STEPS_PER_WRITE = 120;

/** Like `simulateCluster`, and passes each step to the recorder. */
export async function simulateAndRecord(
  plan: GenesisPlan,
  options: SimulateOptions,
  recorder: SimulationRecorder,
): Promise<SimulatedCluster> {
  const { executor, log, onStep } = options;
  const simulation = createSimulation({ ...plan, executor, log });
  await recorder.begin(plan, simulation.metadata);
  const collector = new StepCollector(simulation);
  let steps = [collector.initialStep()];
  for (const progress of simulateHistory(simulation)) {
    steps.push(...collector.collect(progress));
    onStep?.(progress);
    if (steps.length < STEPS_PER_WRITE) continue;
    await recorder.write(steps);
    steps = [];
  }
  await recorder.write(steps);
  await recorder.end();
  return toSimulatedCluster(simulation, plan, executor);
}

function toSimulatedCluster(
  { bank, transactions, simulator, seed, metadata }: SimulationSetup,
  plan: GenesisPlan,
  { deploymentsAt }: Executor,
): SimulatedCluster {
  const { rulesAt } = simulator;
  return { cluster: { bank, transactions, rulesAt, seed, deploymentsAt }, plan, metadata };
}

export function restoreCluster(snapshot: ClusterSnapshot, executor: Executor): SimulatedCluster {
  const { played: plan, newest } = snapshot;
  const { seed } = plan;
  // a cluster that an earlier release stored has other slot durations
  const isSameTime = timeOfSlot(snapshot.origin, newest.slot).unix === newest.unix;
  const origin = isSameTime ? snapshot.origin : newest;
  const accounts = unpackAccounts(snapshot.accounts);
  const cluster = createLocalCluster({ accounts, origin, slot: newest.slot, seed, executor });
  for (const transaction of snapshot.transactions)
    cluster.transactions.ledger.addPacked(transaction);
  return { cluster, plan, metadata: metadataOfPlan(plan) };
}
