import type { Logger } from '@tidegate/core/base';
import { createLocalCluster, type LocalCluster } from '../cluster/cluster.ts';
import type { ClusterMetadata } from '../genesis/cluster-metadata.ts';
import { type GenesisPlan, metadataOfPlan } from '../genesis/genesis.ts';
import type { Executor } from '../runtime/transactions/executor.ts';
import type { ClusterSnapshot } from '../storage/cluster-snapshot.ts';
import { unpackAccounts } from '../storage/packed-account.ts';
import type { ClusterStep } from './cluster-step.ts';
import { createSimulation, type SimulationSetup } from './setup/simulation-setup.ts';
import { type SimulationProgress, simulateHistory } from './simulate-history.ts';
import { StepCollector } from './step-collector.ts';

/** A cluster with its past, and what no account says of it. */
export type SimulatedCluster = {
  readonly cluster: LocalCluster;
  readonly plan: GenesisPlan;
  readonly facts: ClusterMetadata;
};

type Playing = {
  readonly executor: Executor;
  readonly log: Logger;
  readonly onStep?: (played: SimulationProgress) => void;
};

/** Who writes down what is played. It goes on when they have. */
export type SimulationRecorder = {
  begin(plan: GenesisPlan, facts: ClusterMetadata): Promise<void>;
  /** The founding first, and then everything in its order. */
  write(steps: readonly ClusterStep[]): Promise<void>;
  end(): Promise<void>;
};

/** Founds a cluster and plays its past: same plan, same bytes and signatures on any machine. */
export function simulateCluster(plan: GenesisPlan, playing: Playing): SimulatedCluster {
  const { executor, log, onStep } = playing;
  const stage = createSimulation({ ...plan, executor, log });
  for (const played of simulateHistory(stage)) onStep?.(played);
  return playedOn(stage, plan);
}

/** So much is handed over at a time. */
const STEPS_AT_ONCE = 120;

/** The same, written down while it is played. */
export async function simulateAndRecord(
  plan: GenesisPlan,
  playing: Playing,
  diarist: SimulationRecorder,
): Promise<SimulatedCluster> {
  const { executor, log, onStep } = playing;
  const stage = createSimulation({ ...plan, executor, log });
  await diarist.begin(plan, stage.facts);
  const diary = new StepCollector(stage);
  let steps = [diary.founding()];
  for (const played of simulateHistory(stage)) {
    steps.push(...diary.stepsOf(played));
    onStep?.(played);
    if (steps.length < STEPS_AT_ONCE) continue;
    await diarist.write(steps);
    steps = [];
  }
  await diarist.write(steps);
  await diarist.end();
  return playedOn(stage, plan);
}

function playedOn(
  { bank, transactions, seed, facts }: SimulationSetup,
  plan: GenesisPlan,
): SimulatedCluster {
  return { cluster: { bank, transactions, seed }, plan, facts };
}

/** As it was when it was kept. */
export function restoreCluster(kept: ClusterSnapshot, executor: Executor): SimulatedCluster {
  const { played: plan, origin: at, newest } = kept;
  const { seed } = plan;
  const accounts = unpackAccounts(kept.accounts);
  const cluster = createLocalCluster({ accounts, at, slot: newest.slot, seed, executor });
  for (const each of kept.transactions) cluster.transactions.ledger.addPacked(each);
  return { cluster, plan, facts: metadataOfPlan(plan) };
}
