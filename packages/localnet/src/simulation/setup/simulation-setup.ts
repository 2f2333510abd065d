import type { Address, ChainTime, Logger, Slot } from '@tidegate/core/base';
import { ClusterState } from '@tidegate/core/state';
import { createLocalCluster, type LocalCluster } from '../../cluster/cluster.ts';
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

/** What simulated actions work on: the cluster, the agents and the random source. */
export type SimulationContext = {
  readonly seed: string;
  readonly keys: SeededKeys;
  readonly metadata: ClusterMetadata;
  readonly bank: Bank;
  readonly simulator: Simulator;
  readonly agents: Agents;
  readonly random: SeededRandom;
  /** Greedy wallets borrow as much as they can. */
  readonly sentiment: 'calm' | 'greedy';
};

/** The cluster after genesis, with funded wallets, and the period to simulate. */
export type SimulationSetup = SimulationContext & {
  readonly transactions: TransactionPipeline;
  readonly startTime: ChainTime;
  readonly until: ChainTime;
  readonly days: number;
  /** Advances to the end of the slot and updates the oracle prices. */
  advanceTo(slot: Slot): void;
};

export function createSimulation({ executor, log, ...plan }: SimulationOptions): SimulationSetup {
  const { seed, until, days } = plan;
  const { accounts, metadata, state } = createGenesis(plan, executor.rulesAt);
  const { keys, startTime, oracle } = state;
  const cluster = createLocalCluster({ accounts, origin: startTime, seed, executor });
  const { bank, transactions } = cluster;
  const simulator = new Simulator({ cluster, state: clusterStateOf(cluster, log), metadata });
  const pool = (address: Address) => bank.account(address);
  const updatePrices = createPriceUpdater({ oracle, seed, until, days, pool });
  return {
    seed,
    keys,
    metadata,
    bank,
    transactions,
    simulator,
    startTime,
    until,
    days,
    agents: createAgents(seed),
    random: createSeededRandom(`${seed}/year`),
    sentiment: 'calm',
    advanceTo(slot) {
      const time = bank.timeOf(slot);
      for (const [address, account] of stakePoolRewards(bank, time))
        simulator.setAccount(address, account);
      const feed = bank.account(oracle.prices);
      if (feed !== undefined) simulator.setAccount(oracle.prices, updatePrices(feed, time));
      simulator.advanceTo(slot);
    },
  };
}

type ClusterSource = Pick<LocalCluster, 'bank' | 'rulesAt'>;

/** The current accounts in the form that builders read. */
export function clusterStateOf({ bank, rulesAt }: ClusterSource, log: Logger): ClusterState {
  const state = new ClusterState({ log, rulesAt });
  const { slot } = bank;
  for (const { address, account } of bank.accounts()) state.apply({ address, account, slot });
  state.setAt(bank.timeOf(slot));
  return state;
}
