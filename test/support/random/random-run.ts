import type { Address } from '#core/base/encoding/address.ts';
import { CodedError, formatError } from '#core/base/errors.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { createSeededRandom, type SeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import type { Signer } from '#localnet/runtime/signer.ts';
import { readTransactionBudget } from '#localnet/runtime/transactions/compute-budget.ts';
import type { ProcessingResult } from '#localnet/runtime/transactions/transaction-processor.ts';
import { findViolations } from '../invariants/balance-invariants.ts';
import { transactionOutcome } from '../localnet/transaction-outcome.ts';
import {
  findPlanMismatches,
  findPreviewMismatches,
  findTransactionErrors,
} from './action-checks.ts';
import { expectedBuildErrors, expectedFailures } from './expected-failures.ts';
import { RandomCluster, type RandomClusterOptions } from './random-cluster.ts';
import {
  type ActionContext,
  type PreparedTransaction,
  pickItem,
  type RandomAction,
  randomBorrow,
  randomDeposit,
  randomRepay,
  randomWithdraw,
} from './random-lending-actions.ts';
import { randomElevationGroup, randomInvest, randomRefresh } from './random-maintenance-actions.ts';
import { randomClaim, randomVaultDeposit, randomVaultWithdraw } from './random-vault-actions.ts';

type Choice = {
  readonly often: number;
  readonly choose: (chooser: ActionContext) => RandomAction | undefined;
  readonly isVault?: true;
};

const CHOICES: readonly Choice[] = [
  { often: 6, choose: randomDeposit },
  { often: 5, choose: randomBorrow },
  { often: 4, choose: randomRepay },
  { often: 4, choose: randomWithdraw },
  { often: 4, choose: randomVaultDeposit, isVault: true },
  { often: 4, choose: randomVaultWithdraw, isVault: true },
  { often: 2, choose: randomClaim },
  { often: 1, choose: randomElevationGroup },
  { often: 2, choose: randomInvest, isVault: true },
  { often: 1, choose: randomRefresh },
];

/** One act in so many is also forecast, which runs it twice. */
const FORECAST_ONE_IN = 5n;

export type RandomRunOptions = RandomClusterOptions & {
  readonly people: readonly Signer[];
  readonly acts: number;
  /** Forecasts are of the current programs: not for a run on other builds of them. */
  readonly isForecast: boolean;
};

export type ComputeUsage = {
  readonly units: number;
  readonly limit: number;
  readonly words: string;
};

/** Random people do random things, each built from the cluster as it then is, and everything stays sound. */
export class RandomRun {
  readonly ends = new Map<string, number>();
  built = 0;
  /** Of what builders made, the largest part of what it may use that a transaction has used. */
  worstCompute: ComputeUsage = { units: 0, limit: 1, words: 'nothing' };
  readonly #facts: RandomRunOptions;
  readonly #dice: SeededRandom;
  readonly #cluster: RandomCluster;
  readonly #choices: readonly Choice[];
  /** Who has acted in the open slot. */
  readonly #busy = new Set<Address>();
  #place = 'at the start';

  constructor(facts: RandomRunOptions) {
    this.#facts = facts;
    this.#dice = createSeededRandom(facts.seed);
    this.#cluster = new RandomCluster(facts);
    const hasVaults = facts.executor.hasProgram(KVAULT_PROGRAM);
    this.#choices = CHOICES.filter(({ isVault }) => hasVaults || isVault !== true).flatMap(
      (choice) => Array.from({ length: choice.often }, () => choice),
    );
  }

  play(): void {
    try {
      this.#play();
    } catch (error) {
      const place = `seed ${this.#facts.seed}, ${this.#place}`;
      throw new Error(`${place}: ${formatError(error)}`, { cause: error });
    }
  }

  #play(): void {
    const { people, acts } = this.#facts;
    for (const { address } of people) this.#fund(address);
    this.#cluster.pass();
    this.#expectSound();
    for (let act = 0; act < acts; act++) {
      this.#place = `act ${act}`;
      this.#act();
      this.#expectSound();
      // mostly a slot of its own; otherwise others act in the same one, and do not know of it
      const isFull = this.#busy.size === people.length;
      if (isFull || this.#dice.between(0n, 3n) > 0n) this.#passTime();
    }
  }

  /** Some of most tokens, for a few dollars up to many. */
  #fund(wallet: Address): void {
    const { state } = this.#cluster;
    const reserves = state.markets().flatMap(({ address }) => state.reservesOf(address));
    for (const { fields } of reserves) {
      if (this.#dice.between(0n, 2n) === 0n) continue;
      const { mintPubkey: mint, marketPriceSf, mintDecimals } = fields.liquidity;
      const dollars = this.#dice.between(10n, 30_000n);
      const amount = (dollars * ((10n ** mintDecimals) << 60n)) / marketPriceSf;
      this.#cluster.give({ wallet, mint, amount });
    }
  }

  #act(): void {
    const free = this.#facts.people.filter(({ address }) => !this.#busy.has(address));
    const signer = pickItem(this.#dice, free);
    const { choose } = pickItem(this.#dice, this.#choices);
    const chooser = { cluster: this.#cluster, dice: this.#dice, wallet: signer.address };
    // who has nothing yet that this could be done with deposits
    const act = choose(chooser) ?? randomDeposit(chooser);
    this.#place += `, ${act.words}`;
    const prepared = this.#prepare(act);
    if (prepared === undefined) return;
    this.#busy.add(signer.address);
    this.#send(prepared, signer);
  }

  #prepare(act: RandomAction): PreparedTransaction | undefined {
    try {
      return act.prepare();
    } catch (error) {
      if (!(error instanceof CodedError) || !expectedBuildErrors.has(error.code)) throw error;
      return undefined;
    }
  }

  #send({ build, told }: PreparedTransaction, signer: Signer): void {
    const { book } = this.#cluster;
    const transaction = this.#cluster.sign(build, signer);
    const isAlone = this.#busy.size === 1;
    const isForecast = this.#facts.isForecast && this.#dice.between(1n, FORECAST_ONE_IN) === 1n;
    if (told !== undefined && isAlone && isForecast) {
      this.#expectNone(findPreviewMismatches(told, this.#cluster.simulate(transaction), book));
    }
    const processed = this.#cluster.run(transaction);
    const end = transactionOutcome(processed);
    this.built += 1;
    this.ends.set(end, (this.ends.get(end) ?? 0) + 1);
    this.#expectEnd(end, processed);
    if (processed.kind === 'refused') return;
    this.#expectNone(findTransactionErrors(book, processed));
    if (told !== undefined && isAlone)
      this.#expectNone(findPlanMismatches(told.build, processed, book));
    this.#cluster.note(processed.changes);
    if (told !== undefined) this.#measure(build, processed.record.units);
  }

  #measure({ instructions }: PreparedTransaction['build'], units: number): void {
    const budget = readTransactionBudget(instructions);
    const limit = typeof budget === 'object' && 'unitLimit' in budget ? budget.unitLimit : 1;
    const worst = this.worstCompute;
    if (units * worst.limit <= worst.units * limit) return;
    this.worstCompute = { units, limit, words: this.#place };
  }

  /** A slot, minutes or days; prices move, keepers refresh, or nobody does anything. */
  #passTime(): void {
    this.#cluster.pass();
    this.#busy.clear();
    const roll = this.#dice.between(0n, 99n);
    if (roll < 2n) this.#movePrice();
    if (roll < 16n) this.#cluster.keepAfter(this.#dice.between(1n, 300n));
    else if (roll < 19n) this.#cluster.keepAfter(this.#dice.between(10_000n, 2_000_000n));
    else if (roll < 40n) this.#cluster.pass(this.#dice.between(1n, 40n));
    if (roll < 19n) this.#expectSound();
  }

  #movePrice(): void {
    const { state } = this.#cluster;
    const market = pickItem(this.#dice, state.markets()).address;
    const reserve = pickItem(this.#dice, state.reservesOf(market)).address;
    this.#cluster.movePrice(reserve, this.#dice.between(70n, 130n));
  }

  #expectSound(): void {
    this.#expectNone(findViolations(this.#cluster.book));
  }

  #expectEnd(end: string, processed: ProcessingResult): void {
    if (end === 'success' || expectedFailures.has(end)) return;
    const logs = processed.kind === 'run' ? processed.record.logs : [];
    this.#expectNone([`it ended with ${end}`, ...logs]);
  }

  #expectNone(wrong: readonly string[]): void {
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
  }
}
