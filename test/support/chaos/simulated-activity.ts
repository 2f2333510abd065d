import type { Logger } from '#core/base/logger.ts';
import type { ChainTime } from '#core/base/time.ts';
import { createSeededKeys } from '#localnet/genesis/seed/seeded-keys.ts';
import { createSeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import { createActionCounts } from '#localnet/simulation/actions/attempt.ts';
import { createAgents } from '#localnet/simulation/setup/agents.ts';
import { clusterStateOf } from '#localnet/simulation/setup/simulation-setup.ts';
import { Simulator } from '#localnet/simulation/setup/simulator.ts';
import type { SimulatedCluster } from '#localnet/simulation/simulate-cluster.ts';
import { assignStrategies } from '#localnet/simulation/strategies/assign-strategies.ts';

/** Wallets below only follow a schedule. */
const FIRST_WALLET = 9;
const SLOTS_PER_ACTION = 3n;

/** Wallets that act every few slots while the cluster runs. A rolled back slot is not repeated as it was. */
export class SimulatedActivity {
  readonly #simulated: SimulatedCluster;
  readonly #log: Logger;
  readonly #keys;
  readonly #agents;
  readonly #strategies;
  #turn = 0;

  constructor(simulated: SimulatedCluster, log: Logger) {
    const { seed } = simulated.cluster;
    this.#simulated = simulated;
    this.#log = log;
    this.#keys = createSeededKeys(seed);
    this.#agents = createAgents(seed);
    this.#strategies = assignStrategies(createSeededRandom(`${seed}/cast`));
  }

  run({ slot }: ChainTime): void {
    if (slot % SLOTS_PER_ACTION !== 0n) return;
    const { cluster, metadata } = this.#simulated;
    const { bank, seed } = cluster;
    const random = createSeededRandom(`${seed}/chaos/${this.#turn++}`);
    const wallet = Number(
      random.between(BigInt(FIRST_WALLET), BigInt(this.#strategies.length - 1)),
    );
    const strategies = this.#strategies[wallet] ?? [];
    const strategy = strategies[Number(random.between(0n, BigInt(strategies.length)))];
    if (strategy === undefined) return;
    const state = clusterStateOf(cluster, this.#log);
    const context = {
      ...{ seed, bank, metadata, random },
      keys: this.#keys,
      agents: this.#agents,
      simulator: new Simulator({ cluster, state, metadata, isLive: true }),
      sentiment: 'calm' as const,
    };
    strategy(context, wallet, createActionCounts());
  }
}
