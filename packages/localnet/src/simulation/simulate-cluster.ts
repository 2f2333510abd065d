import type { Logger } from '@tidegate/core/base';
import { type Cluster, createCluster } from '../cluster/cluster.ts';
import type { GenesisFacts } from '../genesis/cluster-metadata.ts';
import { factsOfPlan, type GenesisPlan } from '../genesis/genesis.ts';
import type { Executor } from '../runtime/transactions/executor.ts';
import type { KeptCluster } from '../storage/cluster-snapshot.ts';
import { unpackAccounts } from '../storage/packed-account.ts';
import type { Step } from './cluster-step.ts';
import { createStage, type Stage } from './setup/simulation-setup.ts';
import { type Played, playYear } from './simulate-history.ts';
import { Diary } from './step-collector.ts';

/** A cluster with its past, and what no account says of it. */
export type PlayedCluster = {
  readonly cluster: Cluster;
  readonly plan: GenesisPlan;
  readonly facts: GenesisFacts;
};

type Playing = {
  readonly executor: Executor;
  readonly log: Logger;
  readonly onStep?: (played: Played) => void;
};

/** Who writes down what is played. It goes on when they have. */
export type Diarist = {
  begin(plan: GenesisPlan, facts: GenesisFacts): Promise<void>;
  /** The founding first, and then everything in its order. */
  write(steps: readonly Step[]): Promise<void>;
  end(): Promise<void>;
};

/** Founds a cluster and plays its past: same plan, same bytes and signatures on any machine. */
export function playCluster(plan: GenesisPlan, playing: Playing): PlayedCluster {
  const { executor, log, onStep } = playing;
  const stage = createStage({ ...plan, executor, log });
  for (const played of playYear(stage)) onStep?.(played);
  return playedOn(stage, plan);
}

/** So much is handed over at a time. */
const STEPS_AT_ONCE = 120;

/** The same, written down while it is played. */
export async function playAndWrite(
  plan: GenesisPlan,
  playing: Playing,
  diarist: Diarist,
): Promise<PlayedCluster> {
  const { executor, log, onStep } = playing;
  const stage = createStage({ ...plan, executor, log });
  await diarist.begin(plan, stage.facts);
  const diary = new Diary(stage);
  let steps = [diary.founding()];
  for (const played of playYear(stage)) {
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

function playedOn({ bank, transactions, seed, facts }: Stage, plan: GenesisPlan): PlayedCluster {
  return { cluster: { bank, transactions, seed }, plan, facts };
}

/** As it was when it was kept. */
export function restoreCluster(kept: KeptCluster, executor: Executor): PlayedCluster {
  const { played: plan, origin: at, newest } = kept;
  const { seed } = plan;
  const accounts = unpackAccounts(kept.accounts);
  const cluster = createCluster({ accounts, at, slot: newest.slot, seed, executor });
  for (const each of kept.transactions) cluster.transactions.ledger.addPacked(each);
  return { cluster, plan, facts: factsOfPlan(plan) };
}
