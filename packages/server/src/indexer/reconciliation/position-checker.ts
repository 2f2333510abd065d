import { type ChainTime, formatError, type Logger, type Slot, toSlot } from '@tidegate/core/base';
import { AwaitedSlot } from '../../chain/awaited-slot.ts';
import { hasCode } from '../../errors.ts';
import {
  POSITIONS_CHECKED_CHECKPOINT,
  POSITIONS_KNOWN_CHECKPOINT,
} from '../../history/checkpoint-names.ts';
import type { History } from '../../history/open-history.ts';
import { readCheckpoint } from '../../history/queries/checkpoints.ts';
import { createHistoryReader, type HistoryReader } from '../../history/queries/history-reader.ts';
import {
  type ChangesQuery,
  type CheckedPosition,
  checkPositions,
  type PositionVerdict,
  readChangedPositions,
} from '../../history/queries/position-changes.ts';
import { readPositionGaps } from '../../history/queries/position-gaps.ts';
import type { PositionKey } from '../../history/queries/position-kinds.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import { ChangedPositions } from './changed-positions.ts';
import { checkInBatches } from './check-in-batches.ts';
import { type OpenGap, OpenGaps } from './open-gaps.ts';

export type PositionCheckerOptions = {
  readonly history: Pick<History, 'db'>;
  /** Whether state has the positions of all wallets, so that one without an earlier state began empty. */
  readonly hasAllPositions: () => boolean;
  /** Whether the transactions from before the start are recorded. Nothing is compared before that. */
  readonly isCaughtUp: () => boolean;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly log: Logger;
};

const RETRY_MS = 1_000;
/** How often the checkpoint moves: changes since it are compared again after a start. */
const CHECKPOINT_MS = 30_000;

/**
 * Compares the recorded events of each position with its recorded states, whenever it has changed. A position whose
 * events do not explain its state is a gap until they do.
 */
export class PositionChecker {
  readonly #options: PositionCheckerOptions;
  readonly #reader: HistoryReader;
  readonly #writer: HistoryWriter;
  readonly #gaps: OpenGaps;
  /** Positions with states after the checked slot. */
  readonly #changed = new ChangedPositions();
  readonly #checked = new AwaitedSlot();
  #checkedAt = toSlot(0n);
  /** Slots up to which states and events are recorded. */
  #states: ChainTime | undefined;
  #events = toSlot(-1n);
  /** The slot since which all positions are known. */
  #known: ChainTime | undefined;
  #hasBegun = false;
  #isBeginning = false;
  /** Increases when recorded slots were rolled back. */
  #fork = 0;
  /** Whether something was recorded since the last step began. */
  #isDue = false;
  #running: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isStopped = false;
  #savedAt = Number.NEGATIVE_INFINITY;

  constructor(options: PositionCheckerOptions) {
    this.#options = options;
    this.#reader = createHistoryReader(options.history.db);
    this.#writer = new HistoryWriter(options.history.db);
    this.#gaps = new OpenGaps(options);
  }

  /** The positions that events do not explain, the oldest gap first. */
  gaps(): readonly OpenGap[] {
    return this.#gaps.list();
  }

  /** Gaps since the start. */
  get counts(): { readonly found: number; readonly closed: number } {
    return this.#gaps.counts;
  }

  /** The slot up to which all changes are compared. */
  get checkedSlot(): Slot | undefined {
    return this.#checked.slot;
  }

  /** Call it after every list and block was read for a gap, and what they have is recorded. */
  onSearched(gap: OpenGap): void {
    this.#gaps.noteSearched(gap);
    this.#schedule();
  }

  /** Call it when states of all positions as of a slot are stored for the first time. */
  begin(at: ChainTime): void {
    if (this.#hasBegun || this.#isBeginning) return;
    this.#isBeginning = true;
    this.#states ??= at;
    this.#schedule();
  }

  /** Call it with the positions that changed in a slot, before the states are stored. */
  onChanged(keys: Iterable<PositionKey>, slot: Slot): void {
    for (const key of keys) this.#changed.add(key, slot);
  }

  /** Call it when all states up to a slot are stored. */
  onStates(at: ChainTime): void {
    if (at.slot > (this.#states?.slot ?? -1n)) this.#states = at;
    this.#schedule();
  }

  /** Call it when all events up to a slot are recorded. */
  onEvents(slot: Slot): void {
    if (slot > this.#events) this.#events = slot;
    this.#schedule();
  }

  /** Call it after transactions were recorded, of any slot. */
  onRecorded(): void {
    this.#gaps.requestCheck();
    this.#schedule();
  }

  /** Call it when slots were rolled back: nothing of them counts as recorded until it is again. */
  onRollBack(oldest: Slot): void {
    const last = toSlot(oldest - 1n);
    this.#fork += 1;
    if (this.#events > last) this.#events = last;
    this.#takeBackStates(last);
    this.#takeBack(last);
  }

  /** Call it when the states after a slot were deleted: also some from before the rollback, which events still explain. */
  onStatesRemoved(last: Slot): void {
    this.#fork += 1;
    this.#takeBackStates(last);
    this.#changed.takeBack(last);
    this.#gaps.takeBack(last);
    this.#takeBack(last);
  }

  /** Whether all changes up to the slot are compared, within `timeoutMs`. */
  waitForSlot(slot: Slot, timeoutMs: number): Promise<boolean> {
    return this.#checked.waitFor(slot, timeoutMs);
  }

  /** Resolves when no query is running. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    await this.#running;
    if (this.#hasBegun) await this.#save().catch(() => undefined);
  }

  #takeBackStates(last: Slot): void {
    if (this.#states !== undefined && this.#states.slot > last) {
      this.#states = { ...this.#states, slot: last };
    }
  }

  #takeBack(last: Slot): void {
    this.#checked.takeBack(last);
    if (this.#checkedAt > last) this.#checkedAt = last;
  }

  #schedule(): void {
    if (this.#isStopped || (!this.#hasBegun && !this.#isBeginning)) return;
    this.#isDue = true;
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    try {
      if (!this.#hasBegun) await this.#begin();
      while (this.#isDue && !this.#isStopped) {
        this.#isDue = false;
        while (!this.#isStopped && (await this.#step()));
      }
    } catch (error) {
      if (!hasCode(error, 'HISTORY_UNAVAILABLE')) {
        this.#options.log.warn({ reason: formatError(error) }, 'positions were not compared');
      }
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#schedule(), RETRY_MS).unref();
    }
    // nothing is awaited since the last look at what is due
    this.#running = undefined;
  }

  /** Continues where an earlier process ended. */
  async #begin(): Promise<void> {
    const { db } = this.#reader;
    const at = this.#states;
    if (at === undefined) return;
    const checked = await readCheckpoint(db, POSITIONS_CHECKED_CHECKPOINT);
    this.#known = await readCheckpoint(db, POSITIONS_KNOWN_CHECKPOINT);
    await this.#recordKnown(at);
    this.#checkedAt = checked?.slot ?? at.slot;
    this.#gaps.restore(await readPositionGaps(this.#reader));
    if (checked !== undefined) {
      const keys = await readChangedPositions(this.#reader, checked.slot);
      for (const key of keys) this.#changed.add(key, at.slot);
    }
    this.#hasBegun = true;
  }

  /** Returns whether there may be more to do. */
  async #step(): Promise<boolean> {
    const at = this.#states;
    if (at === undefined || !this.#hasBegun || !this.#options.isCaughtUp()) return false;
    const upTo = at.slot < this.#events ? at.slot : this.#events;
    const isNewer = upTo > this.#checkedAt || this.#checked.slot === undefined;
    const gaps = this.#gaps.takeDue(isNewer);
    if (!isNewer && gaps.length === 0) return false;
    if (upTo < 0n) return false;
    const fork = this.#fork;
    const due = this.#changed.upTo(upTo);
    const changed = due.filter((key) => this.#gaps.get(key) === undefined);
    const positions = changed.map((key) => ({ key, after: this.#checkedAt }));
    for (const verdict of await checkInBatches(this.#reader, this.#query(positions, upTo))) {
      if (fork !== this.#fork) return true;
      if (verdict.difference !== undefined) await this.#gaps.open(verdict, this.#known);
    }
    await this.#checkGaps(gaps, upTo, fork);
    if (fork !== this.#fork) return true;
    this.#changed.forget(due, upTo);
    if (upTo > this.#checkedAt) this.#checkedAt = upTo;
    this.#checked.update(this.#checkedAt);
    if (this.#options.clock() - this.#savedAt >= CHECKPOINT_MS) await this.#save();
    return true;
  }

  async #checkGaps(gaps: readonly OpenGap[], upTo: Slot, fork: number): Promise<void> {
    const positions = gaps.map(({ key, slot }) => ({ key, after: slot }));
    for (const verdict of await checkInBatches(this.#reader, this.#query(positions, upTo))) {
      if (fork !== this.#fork) return;
      const isExplained = verdict.difference === undefined || (await this.#isWhole(verdict, upTo));
      if (isExplained) await this.#gaps.close(verdict.key);
      else await this.#gaps.open(verdict, this.#known);
    }
  }

  /** Once every list and block was read, a state on the way may be one that never was: two accounts that arrived apart. */
  async #isWhole({ key }: PositionVerdict, upTo: Slot): Promise<boolean> {
    const gap = this.#gaps.get(key);
    if (gap?.isSearched !== true) return false;
    const positions = [{ key, after: gap.slot }];
    const [verdict] = await checkPositions(this.#reader, key.kind, {
      ...this.#query(positions, upTo),
      isWhole: true,
    });
    return verdict?.difference === undefined;
  }

  #query(positions: readonly CheckedPosition[], upTo: Slot): ChangesQuery {
    return { positions, upTo, beginsEmpty: this.#known !== undefined };
  }

  async #recordKnown(at: ChainTime): Promise<void> {
    if (this.#known !== undefined || !this.#options.hasAllPositions()) return;
    const { slot, unix } = at;
    const checkpoint = { name: POSITIONS_KNOWN_CHECKPOINT, direction: 'older' } as const;
    await this.#writer.append({ checkpoint: { ...checkpoint, slot, at: unix } });
    this.#known = at;
  }

  async #save(): Promise<void> {
    const at = this.#states;
    if (at === undefined) return;
    await this.#recordKnown({ ...at, slot: this.#checkedAt });
    const checkpoint = { name: POSITIONS_CHECKED_CHECKPOINT, direction: 'newer' } as const;
    const { unix } = at;
    await this.#writer.append({ checkpoint: { ...checkpoint, slot: this.#checkedAt, at: unix } });
    this.#savedAt = this.#options.clock();
  }
}
