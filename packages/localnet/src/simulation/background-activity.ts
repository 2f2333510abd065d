import type { ChainTime, Logger } from '@tidegate/core/base';
import type { Cluster } from '../cluster/cluster.ts';
import type { GenesisFacts } from '../genesis/cluster-metadata.ts';
import { scatter } from '../genesis/seed/price-walk.ts';
import { createKeys, type Keys } from '../genesis/seed/seeded-keys.ts';
import { createDice } from '../genesis/seed/seeded-random.ts';
import { newTally } from './actions/attempt.ts';
import { investAll } from './actions/vault-investment.ts';
import { createPeople, type People } from './setup/agents.ts';
import { type Scenery, stateOf } from './setup/simulation-setup.ts';
import { Player } from './setup/simulator.ts';
import { castHabits } from './strategies/assign-strategies.ts';
import type { Habit } from './strategies/loan-strategy.ts';

/** Somebody acts once in so many slots, as the seed says: half a minute. */
const SLOTS_PER_ACT = 75;
/** Vaults are invested one after the other: each ten minutes. */
const SLOTS_PER_INVESTMENT = 1_500n;

export type CrowdFacts = {
  readonly cluster: Cluster;
  readonly facts: GenesisFacts;
  readonly log: Logger;
};

/** People who go on with their habits while a cluster runs. Those that newcomers are shown are not among them. */
export class Crowd {
  readonly #cluster: Cluster;
  readonly #facts: GenesisFacts;
  readonly #log: Logger;
  readonly #keys: Keys;
  readonly #people: People;
  readonly #habits: readonly (readonly Habit[])[];

  constructor({ cluster, facts, log }: CrowdFacts) {
    this.#cluster = cluster;
    this.#facts = facts;
    this.#log = log;
    this.#keys = createKeys(cluster.seed);
    this.#people = createPeople(cluster.seed);
    this.#habits = castHabits(createDice(`${cluster.seed}/cast`));
  }

  /** In the open slot, which will be closed with that time, if it is time for somebody to act. */
  work({ slot }: ChainTime): void {
    const { seed } = this.#cluster;
    if (scatter(`${seed}/crowd/${slot}`) % SLOTS_PER_ACT === 0) this.#act(this.#scenery(slot));
    if (slot % SLOTS_PER_INVESTMENT === 0n) this.#invest(slot / SLOTS_PER_INVESTMENT);
  }

  #act(scenery: Scenery): void {
    const { dice } = scenery;
    const active = [...this.#habits.entries()].filter(([, habits]) => habits.length > 0);
    const [wallet, habits] = active[Number(dice.between(0n, BigInt(active.length - 1)))] ?? [0, []];
    const habit = habits[Number(dice.between(0n, BigInt(habits.length - 1)))];
    habit?.(scenery, wallet, newTally());
  }

  #invest(turn: bigint): void {
    const { vaults } = this.#facts;
    const vault = vaults[Number(turn % BigInt(vaults.length))];
    const { player, people } = this.#scenery(turn);
    if (vault !== undefined) investAll(player, vault.address, people.maker);
  }

  /** Made when it is needed, which is seldom: to keep a state in step with every slot would cost more. */
  #scenery(turn: bigint): Scenery {
    const cluster = this.#cluster;
    const { bank, seed } = cluster;
    const state = stateOf(bank, this.#log);
    return {
      ...{ seed, bank, keys: this.#keys, facts: this.#facts, people: this.#people },
      player: new Player({ cluster, state, facts: this.#facts, isLive: true }),
      dice: createDice(`${seed}/crowd/${turn}`),
      mood: 'calm',
    };
  }
}
