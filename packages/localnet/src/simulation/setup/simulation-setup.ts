import type { ChainTime, Logger, Slot } from '@tidegate/core/base';
import { ClusterState } from '@tidegate/core/state';
import { createLocalCluster } from '../../cluster/cluster.ts';
import { stakePoolRewards } from '../../cluster/stake-pool-rewards.ts';
import type { ClusterMetadata } from '../../genesis/cluster-metadata.ts';
import { createGenesis, type GenesisPlan } from '../../genesis/genesis.ts';
import type { SeededKeys } from '../../genesis/seed/seeded-keys.ts';
import { createSeededRandom, type SeededRandom } from '../../genesis/seed/seeded-random.ts';
import type { Bank } from '../../runtime/bank.ts';
import type { Executor } from '../../runtime/transactions/executor.ts';
import type { TransactionPipeline } from '../../runtime/transactions/transaction-pipeline.ts';
import { type Agents, createAgents } from './agents.ts';
import { createPriceUpdater } from './price-updater.ts';
import { Simulator } from './simulator.ts';

export type SimulationOptions = GenesisPlan & { readonly executor: Executor; readonly log: Logger };

/** Where people act: the cluster, who they are, and what decides. */
export type SimulationContext = {
  readonly seed: string;
  readonly keys: SeededKeys;
  readonly facts: ClusterMetadata;
  readonly bank: Bank;
  readonly player: Simulator;
  readonly people: Agents;
  readonly dice: SeededRandom;
  /** Who is greedy borrows as much as they dare. */
  readonly mood: 'calm' | 'greedy';
};

/** The cluster as admins made it, with people who have money and nothing else yet, and a time to be played. */
export type SimulationSetup = SimulationContext & {
  readonly transactions: TransactionPipeline;
  readonly founded: ChainTime;
  readonly until: ChainTime;
  readonly days: number;
  /** Lets time pass up to the end of that slot, in which the oracle tells the prices of then. */
  moveTo(slot: Slot): void;
};

export function createSimulation({ executor, log, ...plan }: SimulationOptions): SimulationSetup {
  const { seed, until, days } = plan;
  const { accounts, facts, world } = createGenesis(plan);
  const { keys, founded, oracle } = world;
  const cluster = createLocalCluster({ accounts, at: founded, seed, executor });
  const { bank, transactions } = cluster;
  const player = new Simulator({ cluster, state: clusterStateOf(bank, log), facts });
  const tell = createPriceUpdater({ oracle, seed, until });
  return {
    ...{ seed, keys, facts, bank, transactions, player, founded, until, days },
    people: createAgents(seed),
    dice: createSeededRandom(`${seed}/year`),
    mood: 'calm',
    moveTo(slot) {
      const time = bank.timeOf(slot);
      for (const [address, account] of stakePoolRewards(bank, time)) player.write(address, account);
      const feed = bank.account(oracle.prices);
      if (feed !== undefined) player.write(oracle.prices, tell(feed, time));
      player.waitUntil(slot);
    },
  };
}

/** What builders know of the cluster, as of now. */
export function clusterStateOf(bank: Bank, log: Logger): ClusterState {
  const state = new ClusterState({ log });
  const { slot } = bank;
  for (const { address, account } of bank.accounts()) state.apply({ address, account, slot });
  state.setAt(bank.timeOf(slot));
  return state;
}
