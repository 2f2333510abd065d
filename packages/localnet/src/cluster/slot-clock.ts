import { type ChainTime, type Slot, toSlot } from '@tidegate/core/base';
import { slotAtMs, startMsOf } from '../runtime/slot-time.ts';

/** Leaves time for other work at any clock speed. */
const MIN_WAIT_MS = 5;

type SlotClockOptions = {
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** As a multiple of the wall clock. */
  readonly speed: number;
  /** Reference for the times of all slots. */
  readonly origin: ChainTime;
  /** The slot that starts now. */
  readonly slot: Slot;
};

/** The slot that a cluster should have reached: its time passes as the wall clock does, or faster. */
export class SlotClock {
  readonly #now: () => number;
  readonly #speed: number;
  readonly #origin: ChainTime;
  /** Start of the clock, in milliseconds. */
  readonly #startMs: number;
  /** Time of the chain at the start of the clock, in milliseconds. */
  #chainStartMs: bigint;

  constructor({ now, speed, origin, slot }: SlotClockOptions) {
    this.#now = now;
    this.#speed = speed;
    this.#origin = origin;
    this.#startMs = now();
    this.#chainStartMs = startMsOf(origin, slot);
  }

  get slot(): Slot {
    return slotAtMs(this.#origin, this.#chainMs);
  }

  get msToNextSlot(): number {
    const minMs = this.#speed > 1 ? MIN_WAIT_MS : 0;
    const next = startMsOf(this.#origin, toSlot(this.slot + 1n));
    return Math.max(Number(next - this.#chainMs) / this.#speed, minMs);
  }

  /** Lets the clock continue from the start of a slot. */
  set(slot: Slot): void {
    this.#chainStartMs += startMsOf(this.#origin, slot) - this.#chainMs;
  }

  get #chainMs(): bigint {
    const passed = (this.#now() - this.#startMs) * this.#speed;
    return this.#chainStartMs + BigInt(Math.floor(passed));
  }
}
