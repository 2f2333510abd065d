import type { Slot } from '@tidegate/core/base';
import type { AccountUpdate } from '../../chain/source/chain-source.ts';
import type { SlotQueue } from './slot-queue.ts';

type HeldUpdatesOptions = {
  readonly queue: SlotQueue;
  readonly apply: (update: AccountUpdate) => void;
  readonly max?: number;
};

/** About 70 MB of loans. */
const DEFAULT_MAX = 20_000;

/**
 * Accounts that a read found to differ from state, until their slot is complete. Beyond a maximum they are applied at once:
 * this gives up per-slot consistency to bound memory, as the queue does.
 */
export class HeldUpdates {
  readonly #options: Required<HeldUpdatesOptions>;
  #updates: AccountUpdate[] = [];

  constructor(options: HeldUpdatesOptions) {
    this.#options = { max: DEFAULT_MAX, ...options };
  }

  add(update: AccountUpdate): void {
    this.#updates.push(update);
    if (this.#updates.length >= this.#options.max) this.#applyNow();
  }

  /** What was not applied yet. */
  get updates(): readonly AccountUpdate[] {
    return this.#updates;
  }

  clear(): void {
    this.#updates = [];
  }

  /** Queues what is held for the slot, and `then` after it. */
  queueFor(slot: Slot, then: () => void = () => undefined): void {
    const { queue, apply } = this.#options;
    const updates = this.#updates;
    queue.push({
      slot,
      run: () => {
        for (const update of updates) apply(update);
        then();
      },
    });
  }

  #applyNow(): void {
    const { queue, apply } = this.#options;
    for (const update of this.#updates) {
      queue.requireSlot(update.slot);
      apply(update);
    }
    this.#updates = [];
  }
}
