import { type ChainTime, CodedError, type Slot, toSlot } from '@tidegate/core/base';

type Change = { readonly slot: Slot; run(): void };

type Waiter = {
  readonly slot: Slot;
  readonly resolve: () => void;
  readonly timer: NodeJS.Timeout | undefined;
};

/** Beyond this many changes that wait, exactness of the slots between is given up, not memory. */
const MOST_WAITING = 200_000;

/**
 * Holds changes back until the slot they belong to is complete, so that what is read is the cluster as of one
 * slot. During the first load, when nobody reads, they pass at once.
 */
export class SlotQueue {
  readonly #onAdvance: (at: ChainTime) => void;
  #waiting: Change[] = [];
  readonly #waiters = new Set<Waiter>();
  #isHeld = false;
  /** The newest of what ran already: no slot before it can be complete. */
  #floor = toSlot(0n);
  #newest = toSlot(0n);
  #at = toSlot(0n);

  constructor(onAdvance: (at: ChainTime) => void) {
    this.#onAdvance = onAdvance;
  }

  /** The last slot that was complete; 0 before the first. */
  get at(): Slot {
    return this.#at;
  }

  /** No slot before this one can be complete. */
  get floor(): Slot {
    return this.#floor;
  }

  /** Of everything that arrived. */
  get newest(): Slot {
    return this.#newest;
  }

  see(slot: Slot): void {
    if (slot > this.#newest) this.#newest = slot;
  }

  push(change: Change): void {
    this.see(change.slot);
    if (this.#isHeld && change.slot > this.#at) {
      this.#waiting.push(change);
      if (this.#waiting.length > MOST_WAITING) this.#giveUpOrder();
    } else {
      this.#raise(change.slot);
      change.run();
    }
  }

  /** From here on changes wait for their slot. */
  hold(): void {
    this.#isHeld = true;
  }

  /** No slot before this one is complete. */
  require(slot: Slot): void {
    this.see(slot);
    this.#raise(slot);
  }

  /** Everything up to this slot was pushed. Returns whether it is complete now. */
  advance(at: ChainTime): boolean {
    this.see(at.slot);
    if (!this.#isHeld || at.slot < this.#floor || at.slot < this.#at) return false;
    this.#at = at.slot;
    const due = this.#waiting.filter(({ slot }) => slot <= at.slot);
    this.#waiting = this.#waiting.filter(({ slot }) => slot > at.slot);
    for (const change of due) change.run();
    this.#onAdvance(at);
    for (const waiter of this.#waiters) if (waiter.slot <= at.slot) this.#release(waiter);
    return true;
  }

  /** Resolves when the slot is complete; without a time limit it may take for ever. */
  reached(slot: Slot, timeoutMs?: number): Promise<void> {
    if (slot <= this.#at) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiters.delete(waiter);
        const retryAfterSeconds = 1;
        reject(new CodedError('STALE_READ', { slot: this.#at, wanted: slot, retryAfterSeconds }));
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
      const waiter: Waiter = { slot, resolve, timer };
      this.#waiters.add(waiter);
    });
  }

  close(): void {
    this.#waiting = [];
    for (const waiter of this.#waiters) this.#release(waiter);
  }

  #release(waiter: Waiter): void {
    clearTimeout(waiter.timer);
    this.#waiters.delete(waiter);
    waiter.resolve();
  }

  #raise(slot: Slot): void {
    if (slot > this.#floor) this.#floor = slot;
  }

  #giveUpOrder(): void {
    for (const { slot, run } of this.#waiting) {
      this.#raise(slot);
      run();
    }
    this.#waiting = [];
  }
}
