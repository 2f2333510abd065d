import type { Slot } from '@tidegate/core/base';

/** How long ago the newest slot arrived. The clock of the machine may be wrong, so it is not used. */
export class SlotAge {
  readonly #now: () => number;
  #slot: Slot | undefined;
  #arrivedAt: number | undefined;

  /** `now`: milliseconds that never go back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** `ageMs`: its age where it comes from. A slot that arrives again is not newer. */
  note(slot: Slot, ageMs?: number): void {
    if (slot === this.#slot && ageMs === undefined) return;
    this.#slot = slot;
    this.#arrivedAt = this.#now() - (ageMs ?? 0);
  }

  /** 0 before the first slot. */
  get ms(): number {
    return this.#arrivedAt === undefined ? 0 : Math.max(0, this.#now() - this.#arrivedAt);
  }
}
