import type { Slot } from '@tidegate/core/base';
import { BoundedMap } from '../../../caching/bounded-map.ts';

/** Slots without a later confirmed one, beyond which the oldest are forgotten. */
const MAX_SLOTS = 1_000;

/** Finds slots that the cluster abandoned: those between a confirmed slot, or its ancestor, and its parent. */
export class ForkTracker {
  readonly #parents = new BoundedMap<Slot, Slot>({ max: MAX_SLOTS });

  add(slot: Slot, parent: Slot): void {
    this.#parents.set(slot, parent);
  }

  delete(slot: Slot): void {
    this.#parents.delete(slot);
  }

  /** Returns the added slots that are not ancestors of the confirmed one. Ancestors need not be added. */
  confirm(slot: Slot): readonly Slot[] {
    const abandoned: Slot[] = [];
    let child = slot;
    for (let parent = this.#parents.get(child); parent !== undefined; ) {
      for (const other of this.#parents.keys()) {
        if (other > parent && other < child) abandoned.push(other);
      }
      child = parent;
      parent = this.#parents.get(child);
    }
    for (const other of [...this.#parents.keys()]) if (other < slot) this.#parents.delete(other);
    return abandoned.sort((a, b) => Number(a - b));
  }
}
