import {
  type ChainTime,
  type Ratio,
  type Slot,
  toSlot,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';

/** How slots and time go together: the time of a slot that nobody told, and where the cluster must be by now. */
export class SlotEstimator {
  readonly #clock: () => number;
  #slotMs: Ratio;
  #known: ChainTime | undefined;
  #head = toSlot(0n);
  #headAt = 0;

  constructor(clock: () => number, slotMs: Ratio) {
    this.#clock = clock;
    this.#slotMs = slotMs;
  }

  setSlotMs(slotMs: Ratio): void {
    this.#slotMs = slotMs;
  }

  /** What the cluster says at this moment; a cluster that stands still is not running ahead. */
  note(slot: Slot, unix: UnixSeconds | undefined): void {
    if (slot >= this.#head) {
      this.#head = slot;
      this.#headAt = this.#clock();
    }
    if (unix !== undefined && (this.#known === undefined || slot >= this.#known.slot)) {
      this.#known = { slot, unix };
    }
  }

  timeOf(slot: Slot, unix: UnixSeconds | undefined): ChainTime {
    if (unix !== undefined) return { slot, unix };
    const known = this.#known ?? { slot: this.#head, unix: this.#now() };
    const { numerator, denominator } = this.#slotMs;
    const seconds = ((slot - known.slot) * numerator) / (denominator * 1000n);
    return { slot, unix: toUnixSeconds(known.unix + seconds) };
  }

  /** How long ago anything was heard. */
  silentMs(): number {
    return this.#clock() - this.#headAt;
  }

  /** The newest slot that was heard of, and those that have passed since by the clock. */
  head(): Slot {
    const passedMs = BigInt(Math.max(0, Math.floor(this.#clock() - this.#headAt)));
    const { numerator, denominator } = this.#slotMs;
    return this.#head === 0n
      ? this.#head
      : toSlot(this.#head + (passedMs * denominator) / numerator);
  }

  #now(): UnixSeconds {
    return toUnixSeconds(BigInt(Math.floor(this.#clock() / 1000)));
  }
}
