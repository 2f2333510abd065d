import { type ChainTime, type Slot, toSlot } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';

type Change = { readonly slot: Slot; run(): void };

type Waiter = {
  readonly slot: Slot;
  readonly resolve: () => void;
  readonly timer: NodeJS.Timeout | undefined;
};

/** Beyond this many queued changes, the queue applies all of them, and gives up per-slot consistency to bound memory. */
const MAX_QUEUED = 200_000;

/**
 * Queues changes until their slot is complete, so that state always shows the cluster as of one slot. During the first
 * load, while nobody reads state, changes are applied immediately.
 */
export class SlotQueue {
  readonly #onAdvance: (at: ChainTime) => void;
  #queued: Change[] = [];
  readonly #waiters = new Set<Waiter>();
  readonly #observers = new Set<() => void>();
  #isQueueing = false;
  /** The newest applied slot: no earlier slot can be complete. */
  #floor = toSlot(0n);
  #newest = toSlot(0n);
  #complete = toSlot(0n);
  /** No later slot is known to be complete, although it counted as such. */
  #knownTo: Slot | undefined;

  constructor(onAdvance: (at: ChainTime) => void) {
    this.#onAdvance = onAdvance;
  }

  /** The newest complete slot; 0 before the first. */
  get completeSlot(): Slot {
    return this.#complete;
  }

  /** The newest slot that is known to be complete: an earlier one than the complete slot while that is doubted. */
  get knownSlot(): Slot {
    return this.#knownTo ?? this.#complete;
  }

  /** Whether an update of the slot comes too late. */
  isComplete(slot: Slot): boolean {
    return this.#isQueueing && slot <= this.#complete;
  }

  /** No earlier slot can be complete. */
  get minCompleteSlot(): Slot {
    return this.#floor;
  }

  /** The newest slot of everything that arrived. */
  get newestSlot(): Slot {
    return this.#newest;
  }

  noteSlot(slot: Slot): void {
    if (slot > this.#newest) this.#newest = slot;
  }

  push(change: Change): void {
    this.noteSlot(change.slot);
    if (this.#isQueueing && change.slot > this.#complete) {
      this.#queued.push(change);
      if (this.#queued.length > MAX_QUEUED) this.#applyAllQueued();
    } else {
      this.#raiseFloor(change.slot);
      change.run();
    }
  }

  /** Changes wait for their slot from now on. */
  startQueueing(): void {
    this.#isQueueing = true;
  }

  /** Declares that no earlier slot is complete. */
  requireSlot(slot: Slot): void {
    this.noteSlot(slot);
    this.#raiseFloor(slot);
  }

  /** Declares that all changes up to this slot were pushed. Returns whether the slot is now complete. */
  advance(at: ChainTime): boolean {
    this.noteSlot(at.slot);
    if (!this.#isQueueing || at.slot < this.#floor || at.slot < this.#complete) return false;
    this.#complete = at.slot;
    const due = this.#queued.filter(({ slot }) => slot <= at.slot);
    this.#queued = this.#queued.filter(({ slot }) => slot > at.slot);
    for (const change of due) change.run();
    this.#onAdvance(at);
    for (const observe of this.#observers) observe();
    this.#releaseKnown();
    return true;
  }

  /** Calls back with each complete slot, while state is that of the slot. Returns what ends that. */
  observe(onComplete: () => void): () => void {
    this.#observers.add(onComplete);
    return () => void this.#observers.delete(onComplete);
  }

  /** Later slots are not known to be complete: nobody may rely on one until `trust`. */
  doubtAfter(slot: Slot): void {
    this.#knownTo = slot;
  }

  /** The complete slot is one again. */
  trust(): void {
    this.#knownTo = undefined;
    this.#releaseKnown();
  }

  /** Resolves when the slot is complete. Without a timeout it may never resolve. */
  waitForSlot(slot: Slot, timeoutMs?: number): Promise<void> {
    if (slot <= this.knownSlot) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiters.delete(waiter);
        const retryAfterSeconds = 1;
        reject(
          new CodedError('STALE_READ', {
            slot: this.knownSlot,
            minSlot: slot,
            retryAfterSeconds,
          }),
        );
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
      const waiter: Waiter = { slot, resolve, timer };
      this.#waiters.add(waiter);
    });
  }

  close(): void {
    this.#queued = [];
    for (const waiter of this.#waiters) this.#release(waiter);
  }

  #releaseKnown(): void {
    for (const waiter of this.#waiters) if (waiter.slot <= this.knownSlot) this.#release(waiter);
  }

  #release(waiter: Waiter): void {
    clearTimeout(waiter.timer);
    this.#waiters.delete(waiter);
    waiter.resolve();
  }

  #raiseFloor(slot: Slot): void {
    if (slot > this.#floor) this.#floor = slot;
  }

  #applyAllQueued(): void {
    for (const { slot, run } of this.#queued) {
      this.#raiseFloor(slot);
      run();
    }
    this.#queued = [];
  }
}
