import {
  type Address,
  type ChainTime,
  formatError,
  type RawAccount,
  type Slot,
  toSlot,
} from '@tidegate/core/base';
import { reserve } from '@tidegate/core/protocol/klend/layout';
import { AwaitedSlot } from '../../chain/awaited-slot.ts';
import { backoffMs } from '../../chain/retry.ts';
import { hasCode } from '../../errors.ts';
import { MAX_OUTAGE_RETRY_MS } from '../../history/health/database-problem.ts';
import { AnnouncedTransactions } from './announced-transactions.ts';
import { ChangedShareAccounts } from './changed-share-accounts.ts';
import {
  defaultTiming,
  type EventFollowerOptions,
  type EventFollowerStatus,
  type EventFollowerTiming,
  type EventProgress,
} from './event-follower-options.ts';
import { EventPoll } from './event-poll.ts';
import { type FollowTask, PollSchedule, type RoundResult } from './poll-schedule.ts';
import {
  type AnnouncedTransaction,
  TransactionAnnouncements,
} from './transaction-announcements.ts';

const BATCH_SIZE = 100;
/** A node may announce a transaction shortly before it returns it. */
const MISSING_RETRY_MS = 250;

/**
 * Records events as they happen, each exactly once, even if a node announces or lists them late or twice, or rolls them
 * back. Announced transactions are recorded at once; a poll of the lists finds what was not announced.
 */
export class EventFollower {
  readonly #options: EventFollowerOptions;
  readonly #timing: EventFollowerTiming;
  readonly #poll: EventPoll;
  readonly #announcements: TransactionAnnouncements;
  readonly #announced = new AnnouncedTransactions();
  readonly #schedule: PollSchedule;
  /** All events up to it are recorded. */
  readonly #recorded = new AwaitedSlot();
  readonly #shareAccounts = new ChangedShareAccounts();
  #running: Promise<void> | undefined;
  #failures = 0;
  #isFailureLogged = false;
  /** The last slot that state has reached. */
  #stateAt: ChainTime | undefined;
  /** Whether an account of the programs has changed since then. */
  #hasChanges = false;
  /** How often something showed that a transaction may not have been announced, now and before the last poll. */
  #doubts = 0;
  #settledDoubts = 0;
  #isRecording = false;
  /** Whether events were recorded after the checkpoint moved for the last time. */
  #hasUncheckedEvents = false;
  #progress: EventProgress = { upTo: toSlot(0n), checkpoint: toSlot(0n) };

  constructor(options: EventFollowerOptions) {
    const { source, programs } = options;
    this.#options = options;
    this.#timing = { ...defaultTiming, ...options.timing };
    const onCheckpoint = (slot: Slot) => this.#setCheckpoint(slot);
    this.#poll = new EventPoll({
      ...options,
      checkpointMs: this.#timing.checkpointMs,
      onCheckpoint,
      isStopped: () => this.#schedule.isStopped,
    });
    this.#announcements = new TransactionAnnouncements({
      source,
      programs,
      onTransaction: (announced) => this.#onAnnounced(announced),
      onFailed: options.onFailed,
      onGap: () => {
        this.#doubts += 1;
        this.#schedule.requestPoll();
      },
    });
    const announcements = this.#announcements;
    this.#schedule = new PollSchedule({ announcements, timing: this.#timing });
  }

  start(): void {
    this.#announcements.start();
    this.#running = this.#run();
  }

  /** Resolves when no write is pending. */
  async stop(): Promise<void> {
    this.#announcements.stop();
    this.#schedule.stop();
    await this.#running;
  }

  /** Shares move between wallets without calling any of the programs, so their token accounts are listed too. */
  onShareAccountChange(address: Address): void {
    this.#shareAccounts.add(address);
    this.#schedule.requestAnnounced();
  }

  /** Call it when the balances of all wallets are stored: transfers from before the start are looked for. */
  onBalancesStored(): void {
    this.#poll.requestShares();
    this.#schedule.requestPoll();
  }

  /** Call it when slots were rolled back: the next poll records their transactions again. */
  onRollBack(oldest: Slot): void {
    this.#poll.expectRollBack(oldest);
    this.#doubts += 1;
    this.#schedule.requestPoll();
  }

  /** Call it when an account has changed in state. Reserves also change by interest alone on a localnet. */
  onAccountChange(account: RawAccount | undefined): void {
    if (account === undefined || this.#hasChanges) return;
    const isProgram = this.#options.programs.includes(account.owner);
    this.#hasChanges = isProgram && !reserve.matches(account);
  }

  /** Call it when state is complete for a slot. */
  onSlot(at: ChainTime): void {
    const before = this.#stateAt?.slot ?? at.slot;
    this.#stateAt = at;
    const isUnexplained = this.#hasChanges && !this.#announcements.hasAnnounced(before, at.slot);
    this.#hasChanges = false;
    if (isUnexplained) {
      this.#doubts += 1;
      this.#schedule.noteDoubt();
    }
    if (this.#isRecording || !this.#hasAllAnnounced) return;
    if (this.#hasUncheckedEvents) {
      this.#schedule.requestAnnounced(0);
      return;
    }
    this.#reach(at.slot);
    if (this.#poll.isCheckpointDue) this.#schedule.requestAnnounced();
  }

  /**
   * Whether all transactions up to the slot of the state are recorded: the source announces the transactions of a slot
   * before the slot is complete, as it does with accounts. False before the first poll.
   */
  get #hasAllAnnounced(): boolean {
    const isEmpty = this.#announced.size === 0 && this.#shareAccounts.isEmpty;
    return this.#isTrusted && isEmpty && this.#recorded.slot !== undefined;
  }

  /** Whether nothing shows that a transaction was not announced since the last poll. */
  get #isTrusted(): boolean {
    return this.#announcements.isReliable && this.#doubts === this.#settledDoubts;
  }

  /** Whether all events up to the slot are recorded. Polls at once if need be, and waits at most `timeoutMs`. */
  waitForSlot(slot: Slot, timeoutMs: number): Promise<boolean> {
    return this.#recorded.waitFor(slot, timeoutMs, () => {
      if (this.#isTrusted) this.#schedule.requestAnnounced(0);
      else this.#schedule.requestPoll();
    });
  }

  /** Whether the transactions from before the start are recorded. */
  get isCaughtUp(): boolean {
    return this.#poll.isCaughtUp;
  }

  progress(): EventProgress {
    return this.#progress;
  }

  status(): EventFollowerStatus {
    const { undecodableCount: undecoded } = this.#poll;
    return { slot: this.#recorded.slot, undecoded, failures: this.#failures };
  }

  /** Lists the transactions of all programs and records what is missing since the previous poll. */
  async poll(): Promise<RoundResult> {
    const shareAccounts = this.#shareAccounts.takeForPoll();
    const doubts = this.#doubts;
    let isComplete = false;
    try {
      const found = await this.#poll.run(shareAccounts);
      isComplete = found.isComplete;
      if (isComplete) this.#settle(found.head, doubts);
      else this.#recorded.update(undefined);
      const unannounced = found.added.filter(({ signature }) => !this.#announced.has(signature));
      const isSettled = isComplete && found.vanished === 0;
      return { task: 'poll', unannounced: unannounced.length, isSettled };
    } finally {
      if (!isComplete) this.#shareAccounts.putBack(shareAccounts);
    }
  }

  /** A complete poll settles the doubts that existed when it began. */
  #settle(head: Slot, doubts: number): void {
    this.#settledDoubts = doubts;
    this.#shareAccounts.notePolled();
    this.#reach(head);
  }

  /** Records announced transactions, and those of share accounts that changed. */
  async #recordAnnounced(): Promise<RoundResult> {
    const announced = this.#announced.take(BATCH_SIZE);
    const shareAccounts = this.#shareAccounts.take();
    let missing: readonly string[] = announced.map(({ signature }) => signature);
    this.#isRecording = true;
    try {
      const found = await this.#poll.runAnnounced(announced, shareAccounts);
      missing = found.missing;
      this.#hasUncheckedEvents ||= found.added > 0;
      if (found.hasMoved) this.#schedule.requestPoll();
      this.#shareAccounts.noteListed(shareAccounts);
      if (missing.length === 0) await this.#confirmRecorded();
    } catch (error) {
      this.#shareAccounts.putBack(shareAccounts);
      throw error;
    } finally {
      this.#isRecording = false;
      this.#finish(announced, missing);
    }
    return { task: 'announced', unannounced: 0, isSettled: true };
  }

  /** Other processes take a list with the same checkpoint for complete, so it must increase after the last event. */
  async #confirmRecorded(): Promise<void> {
    const at = this.#stateAt;
    if (at === undefined || !this.#hasAllAnnounced) return;
    const isNewer = at.slot > this.#progress.checkpoint;
    if ((this.#hasUncheckedEvents && isNewer) || this.#poll.isCheckpointDue) {
      await this.#poll.moveCheckpoint(at);
      if (isNewer) this.#hasUncheckedEvents = false;
    }
    this.#reach(at.slot);
  }

  /** What is missing is tried again, and left to a poll after several attempts. */
  #finish(taken: readonly AnnouncedTransaction[], missing: readonly string[]): void {
    if (!this.#announced.finish(taken, missing)) {
      this.#doubts += 1;
      this.#schedule.requestPoll();
    }
    if (missing.length > 0) this.#schedule.requestAnnounced(MISSING_RETRY_MS);
    else if (this.#announced.size > 0) this.#schedule.requestAnnounced(0);
  }

  #onAnnounced(announced: AnnouncedTransaction): void {
    if (!this.#announced.add(announced)) {
      this.#doubts += 1;
      this.#schedule.noteDoubt();
    }
    this.#schedule.requestAnnounced();
  }

  async #run(): Promise<void> {
    let task: FollowTask = 'poll';
    while (!this.#schedule.isStopped) {
      try {
        const result = task === 'poll' ? await this.poll() : await this.#recordAnnounced();
        if (this.#isFailureLogged) this.#options.log.info({}, 'following events again');
        this.#isFailureLogged = false;
        this.#failures = 0;
        task = await this.#schedule.next(result);
      } catch (error) {
        await this.#onFailure(error);
        task = 'poll';
      }
    }
  }

  async #onFailure(error: unknown): Promise<void> {
    const { log, random } = this.#options;
    const { retryMs: firstMs } = this.#timing;
    const isOutage = hasCode(error, 'HISTORY_UNAVAILABLE');
    if (!isOutage && !this.#isFailureLogged) {
      log.warn({ error: formatError(error) }, 'following events failed, retrying');
      this.#isFailureLogged = true;
    }
    const backoff = { firstMs, random, ...(isOutage && { maxMs: MAX_OUTAGE_RETRY_MS }) };
    await this.#schedule.waitAfterFailure(backoffMs(backoff, this.#failures));
    this.#failures += 1;
  }

  /** All events up to the slot are recorded. */
  #reach(slot: Slot): void {
    if (slot > this.#progress.upTo) this.#progress = { ...this.#progress, upTo: slot };
    this.#recorded.update(slot);
    this.#options.onReached?.(slot);
  }

  #setCheckpoint(checkpoint: Slot): void {
    if (checkpoint > this.#progress.checkpoint) this.#progress = { ...this.#progress, checkpoint };
  }
}
