import type { Address } from '#core/base/encoding/address.ts';
import { CodedError } from '#core/base/errors.ts';
import { formatError } from '#core/base/format-error.ts';
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
import { randomDeleverage, randomLiquidation, randomMultiply } from './random-leverage-actions.ts';
import { randomElevationGroup, randomInvest, randomRefresh } from './random-maintenance-actions.ts';
import { randomClaim, randomVaultDeposit, randomVaultWithdraw } from './random-vault-actions.ts';

type Choice = {
  readonly weight: number;
  readonly choose: (context: ActionContext) => RandomAction | undefined;
  readonly isVault?: true;
};

const CHOICES: readonly Choice[] = [
  { weight: 6, choose: randomDeposit },
  { weight: 5, choose: randomBorrow },
  { weight: 4, choose: randomRepay },
  { weight: 4, choose: randomWithdraw },
  { weight: 4, choose: randomVaultDeposit, isVault: true },
  { weight: 4, choose: randomVaultWithdraw, isVault: true },
  { weight: 2, choose: randomClaim },
  { weight: 1, choose: randomElevationGroup },
  { weight: 2, choose: randomInvest, isVault: true },
  { weight: 1, choose: randomRefresh },
  { weight: 1, choose: randomLiquidation },
  { weight: 1, choose: randomMultiply },
  { weight: 1, choose: randomDeleverage },
];

/** One action in this many is also simulated first, which runs it twice. */
const PREVIEW_ONE_IN = 5n;

export type RandomRunOptions = RandomClusterOptions & {
  readonly wallets: readonly Signer[];
  readonly actions: number;
  /** Previews model the current programs; a run on other program builds has none. */
  readonly hasPreviews: boolean;
};

export type ComputeUsage = {
  readonly units: number;
  readonly limit: number;
  readonly description: string;
};

/** Random wallets send random transactions; every invariant must hold after each of them. */
export class RandomRun {
  readonly outcomes = new Map<string, number>();
  built = 0;
  /** The built transaction that came closest to its compute unit limit. */
  worstCompute: ComputeUsage = { units: 0, limit: 1, description: 'nothing' };
  readonly #options: RandomRunOptions;
  readonly #random: SeededRandom;
  readonly #cluster: RandomCluster;
  readonly #choices: readonly Choice[];
  /** Wallets that sent a transaction in the open slot. */
  readonly #busy = new Set<Address>();
  #progress = 'at the start';

  constructor(options: RandomRunOptions) {
    this.#options = options;
    this.#random = createSeededRandom(options.seed);
    this.#cluster = new RandomCluster(options);
    const hasVaults = options.executor.hasProgram(KVAULT_PROGRAM);
    this.#choices = CHOICES.filter(({ isVault }) => hasVaults || isVault !== true).flatMap(
      (choice) => Array.from({ length: choice.weight }, () => choice),
    );
  }

  run(): void {
    try {
      this.#runActions();
    } catch (error) {
      const label = `seed ${this.#options.seed}, ${this.#progress}`;
      throw new Error(`${label}: ${formatError(error)}`, { cause: error });
    }
  }

  #runActions(): void {
    const { wallets, actions } = this.#options;
    for (const { address } of wallets) this.#fund(address);
    this.#cluster.advanceSlots();
    this.#expectInvariants();
    for (let index = 0; index < actions; index++) {
      this.#progress = `action ${index}`;
      this.#runAction();
      this.#expectInvariants();
      // Most actions have a slot of their own. In a shared slot a build does not see the others.
      const isFull = this.#busy.size === wallets.length;
      if (isFull || this.#random.between(0n, 3n) > 0n) this.#passTime();
    }
  }

  /** Funds a wallet with most tokens, each worth 10 to 30,000 dollars. */
  #fund(wallet: Address): void {
    const { state } = this.#cluster;
    const reserves = state.markets().flatMap(({ address }) => state.reservesOf(address));
    for (const { fields } of reserves) {
      if (this.#random.between(0n, 2n) === 0n) continue;
      const { mintPubkey: mint, marketPriceSf, mintDecimals } = fields.liquidity;
      const dollars = this.#random.between(10n, 30_000n);
      const amount = (dollars * ((10n ** mintDecimals) << 60n)) / marketPriceSf;
      this.#cluster.fundWallet({ wallet, mint, amount });
    }
  }

  #runAction(): void {
    const free = this.#options.wallets.filter(({ address }) => !this.#busy.has(address));
    const signer = pickItem(this.#random, free);
    const { choose } = pickItem(this.#random, this.#choices);
    const context = { cluster: this.#cluster, random: this.#random, wallet: signer.address };
    // A wallet without a suitable position deposits instead.
    const action = choose(context) ?? randomDeposit(context);
    this.#progress += `, ${action.description}`;
    const prepared = this.#prepare(action);
    if (prepared === undefined) return;
    this.#busy.add(signer.address);
    this.#send(prepared, signer);
  }

  #prepare(action: RandomAction): PreparedTransaction | undefined {
    try {
      return action.prepare();
    } catch (error) {
      if (!(error instanceof CodedError) || !expectedBuildErrors.has(error.code)) throw error;
      return undefined;
    }
  }

  #send({ build, preview }: PreparedTransaction, signer: Signer): void {
    const { accountIndex } = this.#cluster;
    const transaction = this.#cluster.sign(build, signer);
    const isAlone = this.#busy.size === 1;
    const isPreviewed =
      this.#options.hasPreviews && this.#random.between(1n, PREVIEW_ONE_IN) === 1n;
    if (preview !== undefined && isAlone && isPreviewed) {
      this.#expectNone(
        findPreviewMismatches(preview, this.#cluster.simulate(transaction), accountIndex),
      );
    }
    const processed = this.#cluster.run(transaction);
    const outcome = transactionOutcome(processed);
    this.built += 1;
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    this.#expectOutcome(outcome, processed);
    if (processed.kind === 'rejected') return;
    this.#expectNone(findTransactionErrors(accountIndex, processed));
    if (preview !== undefined && isAlone)
      this.#expectNone(findPlanMismatches(preview.build, processed, accountIndex));
    this.#cluster.updateIndex(processed.changes);
    if (preview !== undefined) this.#measure(build, processed.record.units);
  }

  #measure({ instructions }: PreparedTransaction['build'], units: number): void {
    const budget = readTransactionBudget(instructions);
    const limit = typeof budget === 'object' && 'unitLimit' in budget ? budget.unitLimit : 1;
    const worst = this.worstCompute;
    if (units * worst.limit <= worst.units * limit) return;
    this.worstCompute = { units, limit, description: this.#progress };
  }

  /** Advances by a slot, minutes or days; prices move, keepers refresh, or nothing happens. */
  #passTime(): void {
    this.#cluster.advanceSlots();
    this.#busy.clear();
    const roll = this.#random.between(0n, 99n);
    if (roll < 2n) this.#movePrice();
    if (roll < 16n) this.#cluster.advanceWithMaintenance(this.#random.between(1n, 300n));
    else if (roll < 19n)
      this.#cluster.advanceWithMaintenance(this.#random.between(10_000n, 2_000_000n));
    else if (roll < 40n) this.#cluster.advanceSlots(this.#random.between(1n, 40n));
    if (roll < 19n) this.#expectInvariants();
  }

  #movePrice(): void {
    const { state } = this.#cluster;
    const market = pickItem(this.#random, state.markets()).address;
    const reserve = pickItem(this.#random, state.reservesOf(market)).address;
    this.#cluster.movePrice(reserve, this.#random.between(70n, 130n));
  }

  #expectInvariants(): void {
    this.#expectNone(findViolations(this.#cluster.accountIndex));
  }

  #expectOutcome(outcome: string, processed: ProcessingResult): void {
    if (outcome === 'success' || expectedFailures.has(outcome)) return;
    const logs = processed.kind === 'run' ? processed.record.logs : [];
    this.#expectNone([`unexpected outcome: ${outcome}`, ...logs]);
  }

  #expectNone(problems: readonly string[]): void {
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }
}
