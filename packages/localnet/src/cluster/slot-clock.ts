import { type Slot, toSlot } from '@tidegate/core/base';
import { msToNextSlot, slotAt } from '../runtime/slot-time.ts';

/** Leaves time for other work at any clock speed. */
const MIN_WAIT_MS = 5;

type SlotClockOptions = {
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** As a multiple of the wall clock. */
  readonly speed: number;
  /** Slots ahead of the wall clock. */
  readonly offset: bigint;
};

/** The slot that a cluster should have reached by the wall clock. */
export class SlotClock {
  readonly #now: () => number;
  readonly #speed: number;
  /** Start of the clock, in milliseconds. */
  readonly #startMs: number;
  #offset: bigint;

  constructor({ now, speed, offset }: SlotClockOptions) {
    this.#now = now;
    this.#speed = speed;
    this.#offset = offset;
    this.#startMs = now();
  }

  /** Slots ahead of the wall clock, because of another origin or of warps. */
  get offset(): bigint {
    return this.#offset;
  }

  get slot(): Slot {
    return toSlot(slotAt(this.#nowMs()) + this.#offset);
  }

  get msToNextSlot(): number {
    const minMs = this.#speed > 1 ? MIN_WAIT_MS : 0;
    return Math.max(msToNextSlot(this.#nowMs()) / this.#speed, minMs);
  }

  /** Moves the clock by some slots. */
  shift(slots: bigint): void {
    this.#offset += slots;
  }

  /** Lets the clock continue from a slot. */
  set(slot: Slot): void {
    this.#offset += slot - this.slot;
  }

  /** Time of this chain's clock. */
  #nowMs(): number {
    return this.#startMs + (this.#now() - this.#startMs) * this.#speed;
  }
}
