import {
  type ChainTime,
  type Ratio,
  type Slot,
  toSlot,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';

/** Estimates the time of a slot, and the cluster's current slot, from the slot duration. */
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

  /** Takes the cluster's current slot. A repeated slot also counts, so that a halted cluster is not extrapolated. */
  update(slot: Slot, unix: UnixSeconds | undefined): void {
    if (slot >= this.#head) {
      this.#head = slot;
      this.#headAt = this.#clock();
    }
    if (unix !== undefined && (this.#known === undefined || slot >= this.#known.slot)) {
      this.#known = { slot, unix };
    }
  }

  estimateTime(slot: Slot, unix: UnixSeconds | undefined): ChainTime {
    if (unix !== undefined) return { slot, unix };
    const known = this.#known ?? { slot: this.#head, unix: this.#now() };
    const { numerator, denominator } = this.#slotMs;
    const seconds = ((slot - known.slot) * numerator) / (denominator * 1000n);
    return { slot, unix: toUnixSeconds(known.unix + seconds) };
  }

  msSinceUpdate(): number {
    return this.#clock() - this.#headAt;
  }

  /** The newest reported slot plus the slots that have passed since, by the clock. */
  estimateHead(): Slot {
    const elapsedMs = BigInt(Math.max(0, Math.floor(this.#clock() - this.#headAt)));
    const { numerator, denominator } = this.#slotMs;
    return this.#head === 0n
      ? this.#head
      : toSlot(this.#head + (elapsedMs * denominator) / numerator);
  }

  #now(): UnixSeconds {
    return toUnixSeconds(BigInt(Math.floor(this.#clock() / 1000)));
  }
}
