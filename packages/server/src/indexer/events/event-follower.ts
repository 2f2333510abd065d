import {
  type Address,
  type ChainTime,
  encodeBase58,
  formatError,
  hasCode,
  type Slot,
  toSlot,
  toUnixSeconds,
} from '@tidegate/core/base';
import { AwaitedSlot } from '../../chain/awaited-slot.ts';
import { backoffMs } from '../../chain/retry.ts';
import type { ListedTransaction } from '../../chain/source/ledger-reader.ts';
import { EVENTS_CHECKPOINT, EVENTS_SINCE_CHECKPOINT } from '../../history/checkpoint-names.ts';
import { MAX_OUTAGE_RETRY_MS } from '../../history/health/database-problem.ts';
import { readCheckpoint } from '../../history/queries/checkpoints.ts';
import { createHistoryReader } from '../../history/queries/history-reader.ts';
import {
  hasTransactionsUntil,
  readExistingSignatures,
} from '../../history/queries/transaction-signatures.ts';
import type { Checkpoint } from '../../history/writing/batch.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import {
  defaultTiming,
  type EventFollowerOptions,
  type EventFollowerStatus,
  type EventFollowerTiming,
  type EventProgress,
  type PollState,
} from './event-follower-options.ts';
import { decodeSignature } from './event-rows.ts';
import { type PollResult, PollSchedule } from './poll-schedule.ts';
import { Rollback } from './rollback.ts';
import { ListSizes, readSignaturePages } from './signature-pages.ts';
import { TransactionRecorder } from './transaction-recorder.ts';

/** Every poll lists this many slots again, because nodes list late and roll back slots that are not final. */
const WINDOW_SLOTS = 150n;
const BATCH_SIZE = 100;

/** Records events as they happen, each exactly once, even if a node lists them late or twice or rolls them back. */
export class EventFollower {
  readonly #options: EventFollowerOptions;
  readonly #timing: EventFollowerTiming;
  readonly #writer: HistoryWriter;
  readonly #recorder: TransactionRecorder;
  readonly #rollback: Rollback;
  readonly #schedule: PollSchedule;
  /** All events up to it are recorded. */
  readonly #recorded = new AwaitedSlot();
  readonly #shareAccounts = new Set<Address>();
  /** Recent transactions that need no further processing, with their slots. */
  readonly #processed = new Map<string, Slot>();
  readonly #listSizes = new ListSizes();
  #running: Promise<void> | undefined;
  #checkpointAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #isFailureLogged = false;
  /** The finalized slot as of the last poll. */
  #finalized = toSlot(0n);
  #progress: EventProgress = { upTo: toSlot(0n), checkpoint: toSlot(0n) };

  constructor(options: EventFollowerOptions) {
    const { source, history, ownerIndex, programs, log } = options;
    const writer = new HistoryWriter(history.db);
    const reader = createHistoryReader(history.db);
    this.#options = options;
    this.#timing = { ...defaultTiming, ...options.timing };
    this.#writer = writer;
    const { slotPrices } = options;
    const sources = { source, writer, reader, ownerIndex, log };
    this.#recorder = new TransactionRecorder({ ...sources, ...(slotPrices && { slotPrices }) });
    this.#schedule = new PollSchedule({ source, programs, timing: this.#timing });
    const onDeleted = () => {
      this.#processed.clear();
      options.onRecorded?.();
    };
    this.#rollback = new Rollback({ ...options, ledger: source.ledger, writer, onDeleted });
  }

  start(): void {
    this.#schedule.start();
    this.#running = this.#run();
  }

  /** Resolves when no write is pending. */
  async stop(): Promise<void> {
    this.#schedule.stop();
    await this.#running;
  }

  /** Shares move between wallets without calling any of the programs, so their token accounts are listed too. */
  onShareAccountChange(address: Address): void {
    this.#shareAccounts.add(address);
    this.#schedule.fire();
  }

  /** Call it when slots were rolled back: the next poll records their transactions again. */
  onRollBack(oldest: Slot): void {
    this.#rollback.expect(oldest);
    this.#processed.clear();
    this.#schedule.fire();
  }

  /** Whether all events up to the slot are recorded. Polls at once, and waits at most `timeoutMs`. */
  waitForSlot(slot: Slot, timeoutMs: number): Promise<boolean> {
    return this.#recorded.waitFor(slot, timeoutMs, () => this.#schedule.fire());
  }

  progress(): EventProgress {
    return this.#progress;
  }

  status(): EventFollowerStatus {
    const { undecodableCount: undecoded } = this.#recorder;
    return { slot: this.#recorded.slot, undecoded, failures: this.#failures };
  }

  /** Records everything since the previous poll. */
  async poll(): Promise<PollResult> {
    const shareAccounts = [...this.#shareAccounts];
    this.#shareAccounts.clear();
    let isComplete = false;
    try {
      const result = await this.#pollOnce(shareAccounts);
      isComplete = result.isComplete;
      return result;
    } finally {
      if (!isComplete) for (const address of shareAccounts) this.#shareAccounts.add(address);
    }
  }

  async #pollOnce(shareAccounts: readonly Address[]): Promise<PollResult> {
    const state = await this.#begin();
    const added = [...(await this.#rollback.deleteChanged(state.finalized))];
    for (const address of this.#options.programs) added.push(...(await this.#list(address, state)));
    if (await this.#hasGap(state)) await this.#recordGap(state);
    else await this.#rollBack(state);
    for (const address of shareAccounts) added.push(...(await this.#list(address, state)));
    const isComplete = await this.#record(added, state);
    this.#finalized = state.finalized;
    if (isComplete) this.#progress = { ...this.#progress, upTo: state.head.slot };
    this.#recorded.update(isComplete ? state.head.slot : undefined);
    for (const [signature, slot] of this.#processed) {
      if (slot <= state.floor) this.#processed.delete(signature);
    }
    return { isComplete, added: added.length };
  }

  async #run(): Promise<void> {
    while (!this.#schedule.isStopped) {
      try {
        const result = await this.poll();
        if (this.#isFailureLogged) this.#options.log.info({}, 'following events again');
        this.#isFailureLogged = false;
        this.#failures = 0;
        await this.#schedule.waitAfter(result);
      } catch (error) {
        await this.#onFailure(error);
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

  async #begin(): Promise<PollState> {
    const { source, history, clock } = this.#options;
    const { slot, unix } = await source.getSlotTime();
    const now = toUnixSeconds(BigInt(Math.floor(clock() / 1000)));
    const head = { slot, unix: unix ?? now };
    const checkpoint = await readCheckpoint(history.db, EVENTS_CHECKPOINT);
    if (checkpoint === undefined) await this.#recordStart(head);
    else this.#setCheckpoint(checkpoint.slot);
    const from = checkpoint === undefined || checkpoint.slot > slot ? slot : checkpoint.slot;
    const since = from - WINDOW_SLOTS;
    const finalized = await source.ledger.getFinalizedSlot();
    const floor = toSlot(since < 0n ? -1n : since);
    return { head, floor, finalized, checkpoint, listed: new Map(), coversFloor: false };
  }

  /** Events before the first poll of a database are not recorded, unless a backfill loads them. */
  async #recordStart({ slot, unix: at }: ChainTime): Promise<void> {
    const name = EVENTS_SINCE_CHECKPOINT;
    await this.#writer.append({ checkpoint: { name, direction: 'older', slot, at } });
  }

  /** Transactions that the node lists and that are not stored in the same slot. */
  async #list(address: Address, state: PollState): Promise<ListedTransaction[]> {
    const { ledger } = this.#options.source;
    const { floor, listed } = state;
    const added: ListedTransaction[] = [];
    const firstLimit = this.#listSizes.firstLimit(address);
    let size = 0;
    for await (const page of readSignaturePages(ledger, { address, firstLimit })) {
      const recent = page.filter(({ slot }) => slot > floor);
      size += recent.length;
      for (const each of recent) {
        const { signature, slot, failed } = each;
        const isKnown = listed.has(signature) || this.#processed.get(signature) === slot;
        listed.set(signature, each);
        if (!isKnown && !failed) added.push(each);
      }
      if (recent.length === page.length) continue;
      state.coversFloor = true;
      break;
    }
    if (this.#options.programs.includes(address)) this.#listSizes.set(address, size);
    return await this.#selectUnstored(added);
  }

  async #selectUnstored(added: readonly ListedTransaction[]): Promise<ListedTransaction[]> {
    const { db } = this.#options.history;
    const signatures = added.map(({ signature }) => decodeSignature(signature));
    const stored = await readExistingSignatures(db, signatures);
    const slots = new Map(stored.map(({ signature, slot }) => [encodeBase58(signature), slot]));
    for (const [signature, slot] of slots) this.#processed.set(signature, slot);
    const moved = added.flatMap(({ signature, slot: now }) => {
      const slot = slots.get(signature) ?? now;
      return slot === now ? [] : [{ signature, slot }];
    });
    await this.#rollback.deleteRolledBack(moved);
    return added.filter(({ signature, slot }) => slots.get(signature) !== slot);
  }

  /** Whether the node's ledger starts after the stored transactions, so that those in between are unknown. */
  async #hasGap({ checkpoint, floor, coversFloor }: PollState): Promise<boolean> {
    if (checkpoint === undefined || coversFloor) return false;
    return await hasTransactionsUntil(this.#options.history.db, floor);
  }

  async #recordGap({ checkpoint, head, listed }: PollState): Promise<void> {
    if (checkpoint === undefined) return;
    const { unix: since } = checkpoint;
    const times = [...listed.values()].flatMap(({ at }) => at ?? []);
    const until = times.reduce((oldest, at) => (at < oldest ? at : oldest), head.unix);
    if (until <= since) return;
    await this.#writer.append({ gaps: [{ name: EVENTS_CHECKPOINT, since, until }] });
    this.#options.onRecorded?.();
    this.#options.log.warn({ since, until }, 'the node does not list the events of this period');
  }

  /** Slots that were final at the last poll are never rolled back. */
  async #rollBack({ head, floor, listed }: PollState): Promise<void> {
    const after = this.#finalized > floor ? this.#finalized : floor;
    await this.#rollback.deleteVanished({ after, upTo: head.slot, listed });
  }

  #forget(signatures: readonly string[]): void {
    for (const signature of signatures) this.#processed.delete(signature);
  }

  /** Oldest first; the last batch moves the checkpoint. Returns whether the node returned every transaction. */
  async #record(added: readonly ListedTransaction[], { head }: PollState): Promise<boolean> {
    const { clock } = this.#options;
    const { slot: newest, unix: at } = head;
    const checkpoint: Checkpoint = {
      name: EVENTS_CHECKPOINT,
      direction: 'newer',
      slot: newest,
      at,
    };
    const ordered = added.toSorted((a, b) => Number(a.slot - b.slot));
    let isComplete = true;
    for (let start = 0; start < ordered.length; start += BATCH_SIZE) {
      const batch = ordered.slice(start, start + BATCH_SIZE);
      const isLast = start + BATCH_SIZE >= ordered.length;
      const moved = isLast && isComplete ? checkpoint : undefined;
      const { missing } = await this.#recorder.record(batch, moved);
      this.#options.onRecorded?.();
      for (const { signature, slot } of batch) this.#processed.set(signature, slot);
      this.#forget(missing.map(({ signature }) => signature));
      isComplete &&= missing.length === 0;
      if (isLast && isComplete) this.#setCheckpoint(head.slot);
    }
    if (ordered.length === 0 && clock() - this.#checkpointAt >= this.#timing.checkpointMs) {
      await this.#writer.append({ checkpoint });
      this.#setCheckpoint(head.slot);
      this.#options.onRecorded?.();
      this.#checkpointAt = clock();
    }
    return isComplete;
  }

  #setCheckpoint(checkpoint: Slot): void {
    if (checkpoint > this.#progress.checkpoint) this.#progress = { ...this.#progress, checkpoint };
  }
}
