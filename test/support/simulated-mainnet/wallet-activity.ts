import type { Logger } from '#core/base/logger.ts';
import type { Slot } from '#core/base/time.ts';
import type { ClusterState } from '#core/state/cluster-state.ts';
import { createSeededKeys } from '#localnet/genesis/seed/seeded-keys.ts';
import { createSeededRandom, type SeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import { createActionCounts } from '#localnet/simulation/actions/attempt.ts';
import { createAgents } from '#localnet/simulation/setup/agents.ts';
import {
  clusterStateOf,
  type SimulationContext,
} from '#localnet/simulation/setup/simulation-setup.ts';
import { Simulator } from '#localnet/simulation/setup/simulator.ts';
import type { SimulatedCluster } from '#localnet/simulation/simulate-cluster.ts';
import { assignStrategies } from '#localnet/simulation/strategies/assign-strategies.ts';

/** An action may be impossible at the time, for example a borrow at the limit: then another wallet acts. */
const MAX_ATTEMPTS = 4;

/** Simulated wallets that act at a set rate while the cluster runs. */
export class WalletActivity {
  readonly #simulated: SimulatedCluster;
  readonly #log: Logger;
  readonly #random: SeededRandom;
  readonly #active;
  readonly #context;
  #state: ClusterState;
  #appliedSlot: Slot;
  #rollBacks = 0;
  /** Actions that are due, with the fraction of the next one. */
  #due = 0;
  /** Program transactions per slot. */
  perSlot = 0;
  /** Actions that succeeded. */
  succeeded = 0;

  constructor(simulated: SimulatedCluster, log: Logger) {
    const { cluster, metadata } = simulated;
    const { seed, bank } = cluster;
    this.#simulated = simulated;
    this.#log = log;
    this.#random = createSeededRandom(`${seed}/activity`);
    this.#active = [...assignStrategies(createSeededRandom(`${seed}/cast`)).entries()].filter(
      ([, strategies]) => strategies.length > 0,
    );
    this.#context = {
      seed,
      bank,
      metadata,
      keys: createSeededKeys(seed),
      agents: createAgents(seed),
    };
    this.#state = clusterStateOf(this.#simulated.cluster, log);
    this.#appliedSlot = bank.slot;
  }

  /** Acts in the open slot. */
  run(): void {
    this.#updateState();
    this.#due += this.perSlot;
    const count = Math.floor(this.#due);
    this.#due -= count;
    if (count === 0) return;
    const context = this.#createContext();
    let done = 0;
    for (let attempts = 0; done < count && attempts < count * MAX_ATTEMPTS; attempts++) {
      done += this.#act(context);
    }
    this.succeeded += done;
  }

  #act(context: SimulationContext): number {
    const pick = (length: number) => Number(this.#random.between(0n, BigInt(length - 1)));
    const [wallet, strategies] = this.#active[pick(this.#active.length)] ?? [0, []];
    const counts = createActionCounts();
    strategies[pick(strategies.length)]?.(context, wallet, counts);
    return counts.succeeded;
  }

  /** Applies what has changed since the last action. To load everything each time would take most of the time. */
  #updateState(): void {
    const { bank } = this.#simulated.cluster;
    const { slot } = bank;
    if (bank.rollBacks.length > this.#rollBacks) {
      this.#rollBacks = bank.rollBacks.length;
      this.#state = clusterStateOf(this.#simulated.cluster, this.#log);
    } else {
      const changes = bank.changesBetween(this.#appliedSlot, slot);
      const { account } = bank.view(slot);
      for (const address of new Set(changes.flatMap(({ addresses }) => addresses))) {
        this.#state.apply({ address, account: account(address), slot });
      }
      this.#state.setAt(bank.timeOf(slot));
    }
    this.#appliedSlot = slot;
  }

  #createContext(): SimulationContext {
    const { cluster, metadata } = this.#simulated;
    const simulator = new Simulator({ cluster, state: this.#state, metadata, isLive: true });
    return { ...this.#context, simulator, random: this.#random, sentiment: 'calm' };
  }
}
