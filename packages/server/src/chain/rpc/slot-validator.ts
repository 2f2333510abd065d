import { type Slot, toSlot } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';

export type SlotValidatorOptions = {
  readonly name: string;
  readonly maxLagSlots: bigint;
  readonly clock: () => number;
  /** Fetches the node's current slot. */
  readonly fetchSlot: () => Promise<Slot>;
  /** The newest slot that all sources together believe. */
  readonly newestSlot?: (() => Slot | undefined) | undefined;
};

/** Shorter than slots of any cluster, so that the slot of a node is fetched only after a real leap. */
const MIN_SLOT_MS = 200;
/** Slots by which nodes behind one load balancer may differ. */
const SLACK_SLOTS = 3n;

/**
 * Rejects responses with an implausible slot: far behind an earlier response, or ahead of the node's current slot. A
 * slot that is too high would make all later responses seem outdated.
 */
export class SlotValidator {
  readonly #options: SlotValidatorOptions;
  #highest: Slot | undefined;
  #seenAt = 0;

  constructor(options: SlotValidatorOptions) {
    this.#options = options;
  }

  /** Read it before sending a request, and pass it to `check` with the response. */
  get highestSlot(): Slot | undefined {
    const newest = this.#options.newestSlot?.();
    // what is not believed must not make later responses seem outdated
    if (newest !== undefined && this.#highest !== undefined && this.#highest > newest)
      return newest;
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
        const reason = `its response is for slot ${slot}, but it is at slot ${now}`;
        throw new CodedError('SOURCE_UNAVAILABLE', { source, reason });
      }
    }
    const highest = this.highestSlot;
    if (highest === undefined || slot > highest) {
      this.#highest = toSlot(slot);
      this.#seenAt = this.#options.clock();
    }
  }

  #isLeap(slot: Slot): boolean {
    const highest = this.highestSlot;
    if (highest === undefined) return true;
    const elapsedMs = Math.max(0, this.#options.clock() - this.#seenAt);
    const maxAdvance = BigInt(Math.ceil(elapsedMs / MIN_SLOT_MS));
    return slot > highest + maxAdvance + SLACK_SLOTS;
  }
}
