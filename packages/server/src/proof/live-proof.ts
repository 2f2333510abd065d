import {
  type Address,
  type ChainTime,
  formatError,
  type Logger,
  type Slot,
  toSlot,
} from '@tidegate/core/base';
import type { RulesAt } from '@tidegate/core/protocol/releases';
import type { AccountChange } from '@tidegate/core/state';
import type { SlotProof } from '@tidegate/localnet/replay';
import type { AccountUpdate, ChainSource } from '../chain/source/chain-source.ts';
import type { LedgerReader } from '../chain/source/ledger-reader.ts';
import type { ProofReport } from '../clusters/proof-report.ts';
import type { UnprovenKinds } from '../clusters/unproven-kinds.ts';
import type { EventFollowerOptions } from '../indexer/events/event-follower-options.ts';
import { confirmDifferences } from './confirm-differences.ts';
import type { CounterexampleStore } from './counterexample-store.ts';
import { FailedTransactions } from './failed-transactions.ts';
import { countDifferences, hasDifference } from './has-difference.ts';
import type { ProofExecutor } from './proof-messages.ts';
import { differingSubjects, ProofResults } from './proof-results.ts';
import { releasesOfRules } from './rule-releases.ts';
import { seenOnly, unknownAfter, withoutSilent } from './silent-accounts.ts';
import { type CapturedSlot, SlotCapture, type SlotCaptureOptions } from './slot-capture.ts';
import { SlotSampler } from './slot-sampler.ts';
import { UnfollowedAccounts } from './unfollowed-accounts.ts';
import { unprovenReasons } from './unproven-reasons.ts';

export type LiveProofOptions = Pick<
  SlotCaptureOptions,
  'state' | 'hasAllPositions' | 'hasKeepers' | 'maxBytes'
> & {
  readonly rulesAt: RulesAt;
  readonly executor: ProofExecutor;
  readonly store: Pick<
    CounterexampleStore,
    'refresh' | 'entries' | 'read' | 'explain' | 'needs' | 'add'
  >;
  readonly ledger: Pick<LedgerReader, 'listSignatures' | 'getTransactions' | 'getBlockSignatures'>;
  /** Reads accounts that state does not have. */
  readonly getAccounts: ChainSource['getAccounts'];
  readonly unproven: Pick<UnprovenKinds, 'set'>;
  /** Up to which slot all transactions are known; undefined if none are followed. */
  readonly eventSlot: () => Slot | undefined;
  /** Percent of one core. */
  readonly percent: number;
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
};

export type TransactionObservers = {
  readonly onTransactions: NonNullable<EventFollowerOptions['onTransactions']>;
  readonly onFailed: NonNullable<EventFollowerOptions['onFailed']>;
};

/** A report is computed at most so often. */
const REPORT_MS = 2_000;
/** The folder of counterexamples is read so often. */
const REFRESH_MS = 10_000;

/** What is measured has no time of the garbage collector's threads: 20 to 30 percent of it (`bench/proof-capture.ts`). */
const WITH_COLLECTION = 1.3;

/** Replays what happens on a followed cluster, slot by slot, and says whether the cluster did the same. */
export class LiveProof {
  readonly capture: SlotCapture;
  readonly #options: LiveProofOptions;
  readonly #results = new ProofResults();
  readonly #sampler: SlotSampler;
  readonly #failed: FailedTransactions;
  readonly #unfollowed: UnfollowedAccounts;
  readonly #startedAt: number;
  #report: { readonly at: number; readonly report: ProofReport } | undefined;
  /** Replays slots. */
  #running: Promise<void> | undefined;
  #isStopped = false;
  /** Whether slots are observed; the others are outside of the sample. */
  #isObserving = true;
  #hasReplayed = false;
  #isFailureLogged = false;
  #refreshedAt: number;
  /** Increases when what was captured before is void. */
  #epoch = 0;
  #cpuMs = 0;

  constructor(options: LiveProofOptions) {
    this.#options = options;
    this.capture = new SlotCapture(options);
    this.#sampler = new SlotSampler(options);
    const { ledger, clock } = options;
    const { onTransactions } = this.transactionObservers;
    this.#failed = new FailedTransactions({ ledger, clock, onTransactions });
    this.#unfollowed = new UnfollowedAccounts(options);
    this.#startedAt = options.clock();
    this.#refreshedAt = this.#startedAt;
  }

  /** Reads the stored counterexamples, and replays each with the rules that apply now. */
  async start(): Promise<void> {
    const { store, executor, rulesAt, log } = this.#options;
    await store.refresh();
    for (const { id, explanation, slot } of store.entries()) {
      if (explanation !== null || this.#isStopped) continue;
      const rules = rulesAt(toSlot(BigInt(slot)));
      const { klend, kvault, farms } = releasesOfRules(rules);
      try {
        const isProven = await executor.recheck(await store.read(id), rules);
        const releases = `klend ${klend}, kvault ${kvault}, farms ${farms}`;
        if (isProven) await store.explain(id, `Proven with the rules of ${releases}.`);
      } catch (error) {
        log.warn({ id, error: formatError(error) }, 'counterexample not replayed');
      }
    }
    this.#mark();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    // a counterexample that is being stored is stored whole
    await this.#running;
    await this.#options.executor.close();
  }

  onUpdate = (update: AccountUpdate): void => {
    if (!this.#isObserving) return;
    const start = performance.now();
    this.capture.onUpdate(update);
    this.#spend(performance.now() - start);
  };

  onChange = (address: Address, change: AccountChange): void => {
    if (!this.#isObserving) return;
    const start = performance.now();
    this.capture.onChange(address, change);
    this.#spend(performance.now() - start);
  };

  /** What the follower of transactions calls. */
  get transactionObservers(): TransactionObservers {
    return {
      onTransactions: (transactions) => this.capture.onTransactions(transactions),
      onFailed: (announced) => this.#failed.add(announced),
    };
  }

  onGap = (): void => {
    this.#epoch += 1;
    this.capture.onGap();
  };

  onRollBack = (): void => {
    this.#epoch += 1;
    this.capture.onRollBack();
  };

  /** Call it when state is complete for a slot. */
  onSlot(at: ChainTime): void {
    if (this.#running === undefined) this.#sample();
    this.capture.onSlot(at);
    this.#running ??= this.#run(at.slot).finally(() => {
      this.#running = undefined;
    });
  }

  /** Decides whether the slots from now on are observed. What waits for its replay when a period ends is left out. */
  #sample(): void {
    const isOpen = this.#sampler.isOpen();
    if (isOpen === this.#isObserving) return;
    this.#isObserving = isOpen;
    if (isOpen) this.capture.resume();
    else this.capture.pause();
  }

  report(): ProofReport {
    const { clock, percent, rulesAt, store, eventSlot } = this.#options;
    const now = clock();
    if (this.#report !== undefined && now - this.#report.at < REPORT_MS) return this.#report.report;
    const report: ProofReport = {
      state: this.#hasReplayed ? 'running' : 'waiting',
      hasTransactions: eventSlot() !== undefined,
      slot: this.capture.takenSlot?.toString() ?? null,
      startedAt: this.#startedAt,
      budgetPercent: percent,
      cpuMs: Math.round(this.#cpuMs),
      releases: { ...releasesOfRules(rulesAt(this.capture.newestSlot)) },
      transactions: this.#results.transactions(now),
      rows: this.#results.rows(now),
      counterexamples: store.entries(),
    };
    this.#report = { at: now, report };
    return report;
  }

  async #run(stateSlot: Slot): Promise<void> {
    try {
      const upTo = this.#completeUpTo(stateSlot);
      this.#results.skip(this.capture.takeSkipped(upTo), this.#options.clock());
      let slot = this.capture.next(upTo);
      while (slot !== undefined && !this.#isStopped) {
        await this.#take(slot);
        this.#sample();
        slot = this.capture.next(upTo);
      }
      if (slot === undefined) this.capture.skipTo(upTo);
      if (this.capture.isFull) this.onGap();
      await this.#refreshStore();
    } catch (error) {
      if (!this.#isFailureLogged) {
        this.#options.log.error({ error: formatError(error) }, 'a slot was not replayed');
      }
      this.#isFailureLogged = true;
      // what is known of later slots depends on the failed one
      this.onGap();
    }
  }

  /** A slot waits for its transactions. */
  #completeUpTo(stateSlot: Slot): Slot {
    const complete = this.#options.eventSlot() ?? stateSlot;
    const reading = this.#failed.oldestReading;
    return reading !== undefined && reading <= complete ? toSlot(reading - 1n) : complete;
  }

  async #take(slot: Slot): Promise<void> {
    const { clock, eventSlot } = this.#options;
    const start = performance.now();
    const captured = this.capture.read(slot, eventSlot() !== undefined);
    this.#spend(performance.now() - start);
    const epoch = this.#epoch;
    const proof = await this.#replay(captured, epoch);
    // updates were missed or undone in the meantime
    if (epoch !== this.#epoch) return;
    const { releases } = this.#rulesOf(slot);
    this.#hasReplayed = true;
    this.#results.add(proof, { slot, releases, now: clock() });
    this.capture.settle(slot, unknownAfter(proof));
  }

  /** `epoch`: when the slot was captured; a difference of an earlier one says nothing. */
  async #replay(captured: CapturedSlot, epoch: number): Promise<SlotProof> {
    const { slot } = captured.observed.time;
    const { rules, releases } = this.#rulesOf(slot);
    const { observed } = captured;
    const { executor, store, ledger, log } = this.#options;
    const result = await this.#unfollowed.replay({ slot: observed, rules }, executor);
    this.#spend(result.ms);
    const proof = withoutSilent(result.proof, captured);
    if (!hasDifference(proof)) return proof;
    const { signatures } = captured;
    const checked = await confirmDifferences(proof, ledger, { slot, signatures });
    const subjects = differingSubjects(checked);
    if (epoch !== this.#epoch || !store.needs(subjects)) return checked;
    // replayed by any rules, a slot without one of its transactions differs
    if (countDifferences(checked) < countDifferences(proof)) return checked;
    log.warn({ slot, subjects }, 'a program did not do what this server computes');
    await store.add(await executor.describe({ slot: seenOnly(captured), rules, releases }));
    this.#mark();
    return checked;
  }

  #rulesOf(slot: Slot) {
    const rules = this.#options.rulesAt(slot);
    return { rules, releases: releasesOfRules(rules) };
  }

  #spend(ms: number): void {
    const total = ms * WITH_COLLECTION;
    this.#cpuMs += total;
    this.#sampler.spend(total);
  }

  async #refreshStore(): Promise<void> {
    const { clock, store } = this.#options;
    if (clock() - this.#refreshedAt < REFRESH_MS) return;
    this.#refreshedAt = clock();
    await store.refresh();
    this.#mark();
  }

  #mark(): void {
    this.#options.unproven.set('proof', unprovenReasons(this.#options.store.entries()));
    this.#report = undefined;
  }
}
