import type { ChainTime, Logger, Slot } from '@tidegate/core/base';
import { ClusterState } from '@tidegate/core/state';
import { createCluster } from '../../cluster/cluster.ts';
import { stakeRewards } from '../../cluster/stake-pool-rewards.ts';
import type { GenesisFacts } from '../../genesis/cluster-metadata.ts';
import { createGenesis, type GenesisPlan } from '../../genesis/genesis.ts';
import type { Keys } from '../../genesis/seed/seeded-keys.ts';
import { createDice, type Dice } from '../../genesis/seed/seeded-random.ts';
import type { Bank } from '../../runtime/bank.ts';
import type { Executor } from '../../runtime/transactions/executor.ts';
import type { Transactions } from '../../runtime/transactions/transaction-pipeline.ts';
import { createPeople, type People } from './agents.ts';
import { createPriceTeller } from './price-updater.ts';
import { Player } from './simulator.ts';

export type StageFacts = GenesisPlan & { readonly executor: Executor; readonly log: Logger };

/** Where people act: the cluster, who they are, and what decides. */
export type Scenery = {
  readonly seed: string;
  readonly keys: Keys;
  readonly facts: GenesisFacts;
  readonly bank: Bank;
  readonly player: Player;
  readonly people: People;
  readonly dice: Dice;
  /** Who is greedy borrows as much as they dare. */
  readonly mood: 'calm' | 'greedy';
};

/** The cluster as admins made it, with people who have money and nothing else yet, and a time to be played. */
export type Stage = Scenery & {
  readonly transactions: Transactions;
  readonly founded: ChainTime;
  readonly until: ChainTime;
  readonly days: number;
  /** Lets time pass up to the end of that slot, in which the oracle tells the prices of then. */
  moveTo(slot: Slot): void;
};

export function createStage({ executor, log, ...plan }: StageFacts): Stage {
  const { seed, until, days } = plan;
  const { accounts, facts, world } = createGenesis(plan);
  const { keys, founded, oracle } = world;
  const cluster = createCluster({ accounts, at: founded, seed, executor });
  const { bank, transactions } = cluster;
  const player = new Player({ cluster, state: stateOf(bank, log), facts });
  const tell = createPriceTeller({ oracle, seed, until });
  return {
    ...{ seed, keys, facts, bank, transactions, player, founded, until, days },
    people: createPeople(seed),
    dice: createDice(`${seed}/year`),
    mood: 'calm',
    moveTo(slot) {
      const time = bank.timeOf(slot);
      for (const [address, account] of stakeRewards(bank, time)) player.write(address, account);
      const feed = bank.account(oracle.prices);
      if (feed !== undefined) player.write(oracle.prices, tell(feed, time));
      player.waitUntil(slot);
    },
  };
}

/** What builders know of the cluster, as of now. */
export function stateOf(bank: Bank, log: Logger): ClusterState {
  const state = new ClusterState({ log });
  const { slot } = bank;
  for (const { address, account } of bank.accounts()) state.apply({ address, account, slot });
  state.setAt(bank.timeOf(slot));
  return state;
}
