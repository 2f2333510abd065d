import type { Address } from '../base/encoding/address.ts';
import { type Slot, toSlot } from '../base/time.ts';

/** About one hour: a snapshot that takes longer is rejected. */
const RETAINED_SLOTS = 9_000n;

/**
 * The slots at which accounts were closed, so that an older update that arrives late does not
 * restore them. Tombstones expire; from then on older updates of unknown accounts are ignored.
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

  /** Whether a tombstone with a later slot may have expired. */
  isForgotten(slot: Slot): boolean {
    return slot < this.#horizon;
  }

  forgetOld(now: Slot): void {
    if (now - this.#horizon < 2n * RETAINED_SLOTS) return;
    this.#horizon = toSlot(now - RETAINED_SLOTS);
    for (const [address, slot] of this.#slots) {
      if (slot < this.#horizon) this.#slots.delete(address);
    }
  }
}
