import type { Address } from '../base/encoding/address.ts';
import { type Slot, toSlot } from '../base/time.ts';

/** About an hour: a snapshot that took longer to arrive is refused instead. */
const REMEMBERED_SLOTS = 9_000n;

/**
 * Accounts that do not exist, as of which slot: an older state that arrives late must not bring them back.
 * They are forgotten after a while, and from then on older states of unknown accounts count for nothing.
 */
export class Tombstones {
  readonly #slots = new Map<Address, Slot>();
  #horizon = toSlot(0n);

  slotOf(address: Address): Slot | undefined {
    return this.#slots.get(address);
  }

  add(address: Address, slot: Slot): void {
    this.#slots.set(address, slot);
  }

  delete(address: Address): void {
    this.#slots.delete(address);
  }

  /** Whether a closing after this slot may have been forgotten. */
  isForgotten(slot: Slot): boolean {
    return slot < this.#horizon;
  }

  forgetOld(now: Slot): void {
    if (now - this.#horizon < 2n * REMEMBERED_SLOTS) return;
    this.#horizon = toSlot(now - REMEMBERED_SLOTS);
    for (const [address, slot] of this.#slots) {
      if (slot < this.#horizon) this.#slots.delete(address);
    }
  }
}
