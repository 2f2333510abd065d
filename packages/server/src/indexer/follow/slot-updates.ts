import type { Slot } from '@tidegate/core/base';
import { BoundedMap } from '../../caching/bounded-map.ts';

type Batch = { isApplied: boolean; isCancelled: boolean };

/** A slot is abandoned within this many slots, or never. */
const MAX_SLOTS = 512;

/** Updates by slot, so that those of an abandoned slot can be undone. */
export class SlotUpdates {
  readonly #batches = new BoundedMap<Slot, Batch>({ max: MAX_SLOTS });

  /** Returns a function that applies an update of the slot, unless the slot is abandoned before. */
  add(slot: Slot, apply: () => void): () => void {
    const batch = this.#batchOf(slot);
    return () => {
      if (batch.isCancelled) return;
      batch.isApplied = true;
      apply();
    };
  }

  /** Cancels what was not applied yet. Returns whether some of the slot was applied. Later updates of it are valid. */
  cancel(slot: Slot): boolean {
    const batch = this.#batches.get(slot);
    if (batch === undefined) return false;
    batch.isCancelled = true;
    this.#batches.delete(slot);
    return batch.isApplied;
  }

  #batchOf(slot: Slot): Batch {
    const known = this.#batches.get(slot);
    if (known !== undefined) return known;
    const created = { isApplied: false, isCancelled: false };
    this.#batches.set(slot, created);
    return created;
  }
}
