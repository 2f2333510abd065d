import type { ChainTime, Logger } from '@tidegate/core/base';
import type { LocalCluster } from '../cluster/cluster.ts';
import type { ClusterMetadata } from '../genesis/cluster-metadata.ts';
import { hashToUint32 } from '../genesis/seed/price-walk.ts';
import { createSeededKeys, type SeededKeys } from '../genesis/seed/seeded-keys.ts';
import { createSeededRandom } from '../genesis/seed/seeded-random.ts';
import { createActionCounts } from './actions/attempt.ts';
import { investVault } from './actions/vault-investment.ts';
import { type Agents, createAgents } from './setup/agents.ts';
import { clusterStateOf, type SimulationContext } from './setup/simulation-setup.ts';
import { Simulator } from './setup/simulator.ts';
import { assignStrategies } from './strategies/assign-strategies.ts';
import type { Strategy } from './strategies/loan-strategy.ts';

/** Somebody acts once in so many slots, as the seed says: half a minute. */
const SLOTS_PER_ACT = 75;
/** Vaults are invested one after the other: each ten minutes. */
const SLOTS_PER_INVESTMENT = 1_500n;

export type BackgroundActivityOptions = {
  readonly cluster: LocalCluster;
  readonly facts: ClusterMetadata;
  readonly log: Logger;
};

/** People who go on with their habits while a cluster runs. Those that newcomers are shown are not among them. */
export class BackgroundActivity {
  readonly #cluster: LocalCluster;
  readonly #facts: ClusterMetadata;
  readonly #log: Logger;
  readonly #keys: SeededKeys;
  readonly #people: Agents;
  readonly #habits: readonly (readonly Strategy[])[];

  constructor({ cluster, facts, log }: BackgroundActivityOptions) {
    this.#cluster = cluster;
    this.#facts = facts;
    this.#log = log;
    this.#keys = createSeededKeys(cluster.seed);
    this.#people = createAgents(cluster.seed);
    this.#habits = assignStrategies(createSeededRandom(`${cluster.seed}/cast`));
  }

  /** In the open slot, which will be closed with that time, if it is time for somebody to act. */
  work({ slot }: ChainTime): void {
    const { seed } = this.#cluster;
    if (hashToUint32(`${seed}/crowd/${slot}`) % SLOTS_PER_ACT === 0) this.#act(this.#scenery(slot));
    if (slot % SLOTS_PER_INVESTMENT === 0n) this.#invest(slot / SLOTS_PER_INVESTMENT);
  }

  #act(scenery: SimulationContext): void {
    const { dice } = scenery;
    const active = [...this.#habits.entries()].filter(([, habits]) => habits.length > 0);
    const [wallet, habits] = active[Number(dice.between(0n, BigInt(active.length - 1)))] ?? [0, []];
    const habit = habits[Number(dice.between(0n, BigInt(habits.length - 1)))];
    habit?.(scenery, wallet, createActionCounts());
  }

  #invest(turn: bigint): void {
    const { vaults } = this.#facts;
    const vault = vaults[Number(turn % BigInt(vaults.length))];
    const { player, people } = this.#scenery(turn);
    if (vault !== undefined) investVault(player, vault.address, people.maker);
  }

  /** Made when it is needed, which is seldom: to keep a state in step with every slot would cost more. */
  #scenery(turn: bigint): SimulationContext {
    const cluster = this.#cluster;
    const { bank, seed } = cluster;
    const state = clusterStateOf(bank, this.#log);
    return {
      ...{ seed, bank, keys: this.#keys, facts: this.#facts, people: this.#people },
      player: new Simulator({ cluster, state, facts: this.#facts, isLive: true }),
      dice: createSeededRandom(`${seed}/crowd/${turn}`),
      mood: 'calm',
    };
  }
}
