import type { Slot } from '@tidegate/core/base';
import type { SlotQueue } from './slot-queue.ts';

/** Knows the slot up to which state has every change of a set of accounts. What was written later may be missing. */
export class SyncPoint {
  readonly #queue: Pick<SlotQueue, 'completeSlot'>;
  /** False if changes are known only by reads. */
  receivesUpdates = true;
  /** Of the last successful read. */
  #readSlot: Slot | undefined;
  /** At the first gap since then. */
  #slotAtGap: Slot | undefined;
  /** Whether accounts may have gone back to an older write. */
  #isRolledBack = false;

  constructor(queue: Pick<SlotQueue, 'completeSlot'>) {
    this.#queue = queue;
  }

  /** All changes up to the slot were read. */
  noteRead(slot: Slot): void {
    this.#readSlot = slot;
  }

  /** Updates may have been missed. `receivesUpdates`: whether they arrive from now on. */
  noteGap(receivesUpdates: boolean): void {
    this.#slotAtGap ??= this.#currentSlot();
    this.receivesUpdates = receivesUpdates;
  }

  /** A slot was abandoned: an account that it wrote has its older write again, which is not among the changes since a slot. */
  noteRollBack(): void {
    this.#isRolledBack = true;
  }

  /** The slot after which changes may be missing; undefined if it is unknown, or if none should be. */
  take(): Slot | undefined {
    if (this.#isRolledBack) {
      this.#isRolledBack = false;
      this.#slotAtGap = undefined;
      return undefined;
    }
    const slot = this.#slotAtGap ?? (this.receivesUpdates ? undefined : this.#readSlot);
    this.#slotAtGap = undefined;
    return slot;
  }

  /** Call it with the slot from `take` if the changes since then could not be read. */
  restore(slot: Slot | undefined): void {
    if (slot === undefined) {
      this.#isRolledBack = true;
      return;
    }
    if (this.#slotAtGap === undefined || slot < this.#slotAtGap) this.#slotAtGap = slot;
  }

  /** A complete slot has all updates, if they arrive. */
  #currentSlot(): Slot | undefined {
    const { completeSlot } = this.#queue;
    if (this.#readSlot === undefined || !this.receivesUpdates) return this.#readSlot;
    return completeSlot > this.#readSlot ? completeSlot : this.#readSlot;
  }
}
