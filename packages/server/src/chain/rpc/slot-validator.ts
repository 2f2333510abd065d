import { CodedError, type Slot, toSlot } from '@tidegate/core/base';

export type SlotValidatorOptions = {
  readonly name: string;
  readonly maxLagSlots: bigint;
  readonly clock: () => number;
  /** Asks the node anew which slot it is really at. */
  readonly fetchSlot: () => Promise<Slot>;
};

/** A little faster than clusters are, so that the node is asked rather too often than too seldom. */
const FASTEST_SLOT_MS = 300;
/** By so much the nodes behind one address differ. */
const SLACK_SLOTS = 3n;

/**
 * Refuses answers for a slot that cannot be: far behind what this endpoint had answered before the request was
 * sent, or ahead of what it is at. One too high would make everything that comes after it look old.
 */
export class SlotValidator {
  readonly #options: SlotValidatorOptions;
  #highest: Slot | undefined;
  #seenAt = 0;

  constructor(options: SlotValidatorOptions) {
    this.#options = options;
  }

  /** Taken before a request is sent, handed to `check` with its answer. */
  get highestSlot(): Slot | undefined {
    return this.#highest;
  }

  async check(slot: Slot, highestBefore: Slot | undefined): Promise<void> {
    const { name: source, maxLagSlots, fetchSlot } = this.#options;
    if (highestBefore !== undefined && slot + maxLagSlots < highestBefore) {
      const minSlot = highestBefore - maxLagSlots;
      throw new CodedError('SOURCE_LAGS', { source, slot, minSlot });
    }
    if (this.#isLeap(slot)) {
      const now = await fetchSlot();
      if (now + SLACK_SLOTS < slot) {
        const reason = `it answered for slot ${slot} and is at slot ${now}`;
        throw new CodedError('SOURCE_UNAVAILABLE', { source, reason });
      }
    }
    if (this.#highest === undefined || slot > this.#highest) {
      this.#highest = toSlot(slot);
      this.#seenAt = this.#options.clock();
    }
  }

  #isLeap(slot: Slot): boolean {
    if (this.#highest === undefined) return true;
    const passedMs = Math.max(0, this.#options.clock() - this.#seenAt);
    const possible = BigInt(Math.ceil(passedMs / FASTEST_SLOT_MS));
    return slot > this.#highest + possible + SLACK_SLOTS;
  }
}
