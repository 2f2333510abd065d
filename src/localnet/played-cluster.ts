import type { Logger } from '../base/log.ts';
import { type Cluster, createCluster } from './cluster.ts';
import type { GenesisFacts } from './genesis/facts.ts';
import { factsOfPlan, type GenesisPlan } from './genesis/genesis.ts';
import type { KeptCluster } from './kept/kept-cluster.ts';
import { unpackAccounts } from './kept/packed-account.ts';
import { type Played, playYear } from './scenario/play-year.ts';
import { createStage } from './scenario/stage.ts';
import type { Executor } from './transactions/executor.ts';

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

/** Founds a cluster and plays its past: same plan, same bytes and signatures on any machine. */
export function playCluster(plan: GenesisPlan, playing: Playing): PlayedCluster {
  const { executor, log, onStep } = playing;
  const stage = createStage({ ...plan, executor, log });
  for (const played of playYear(stage)) onStep?.(played);
  const { bank, transactions, seed, facts } = stage;
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
