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

/** Average slots between two actions: half a minute. */
const SLOTS_PER_ACTION = 75;
/** Vaults are invested in turn, one every ten minutes. */
const SLOTS_PER_INVESTMENT = 1_500n;

export type BackgroundActivityOptions = {
  readonly cluster: LocalCluster;
  readonly metadata: ClusterMetadata;
  readonly log: Logger;
};

/** Executes wallet strategies while the cluster runs. Demo wallets take no part. */
export class BackgroundActivity {
  readonly #cluster: LocalCluster;
  readonly #metadata: ClusterMetadata;
  readonly #log: Logger;
  readonly #keys: SeededKeys;
  readonly #agents: Agents;
  readonly #strategies: readonly (readonly Strategy[])[];

  constructor({ cluster, metadata, log }: BackgroundActivityOptions) {
    this.#cluster = cluster;
    this.#metadata = metadata;
    this.#log = log;
    this.#keys = createSeededKeys(cluster.seed);
    this.#agents = createAgents(cluster.seed);
    this.#strategies = assignStrategies(createSeededRandom(`${cluster.seed}/cast`));
  }

  /** Acts in the open slot, which closes at the given time, if an action is due. */
  run({ slot }: ChainTime): void {
    const { seed } = this.#cluster;
    if (hashToUint32(`${seed}/crowd/${slot}`) % SLOTS_PER_ACTION === 0)
      this.#executeStrategy(this.#createContext(slot));
    if (slot % SLOTS_PER_INVESTMENT === 0n) this.#invest(slot / SLOTS_PER_INVESTMENT);
  }

  #executeStrategy(context: SimulationContext): void {
    const { random } = context;
    const active = [...this.#strategies.entries()].filter(
      ([, strategies]) => strategies.length > 0,
    );
    const [wallet, strategies] = active[Number(random.between(0n, BigInt(active.length - 1)))] ?? [
      0,
      [],
    ];
    const strategy = strategies[Number(random.between(0n, BigInt(strategies.length - 1)))];
    strategy?.(context, wallet, createActionCounts());
  }

  #invest(turn: bigint): void {
    const { vaults } = this.#metadata;
    const vault = vaults[Number(turn % BigInt(vaults.length))];
    const { simulator, agents } = this.#createContext(turn);
    if (vault !== undefined) investVault(simulator, vault.address, agents.marketMaker);
  }

  /** Created on demand: actions are rare, and updating the state in every slot would cost more. */
  #createContext(turn: bigint): SimulationContext {
    const cluster = this.#cluster;
    const { bank, seed } = cluster;
    const state = clusterStateOf(cluster, this.#log);
    return {
      seed,
      bank,
      keys: this.#keys,
      metadata: this.#metadata,
      agents: this.#agents,
      simulator: new Simulator({ cluster, state, metadata: this.#metadata, isLive: true }),
      random: createSeededRandom(`${seed}/crowd/${turn}`),
      sentiment: 'calm',
    };
  }
}
