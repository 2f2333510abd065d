import type { ChainSource } from '../../chain/source/chain-source.ts';
import type { SlotQueue } from './slot-queue.ts';

/**
 * Reads the slot of the cluster after an event, once for all events before the read. A subscription that has just become
 * active needs it: what it reads must not be older. Later, its own updates tell the slot.
 */
export class SlotReader {
  readonly #source: Pick<ChainSource, 'getSlotTime'>;
  readonly #queue: Pick<SlotQueue, 'noteSlot'>;
  #events = 0;
  /** Events before the last successful read. */
  #covered = 0;

  constructor(source: Pick<ChainSource, 'getSlotTime'>, queue: Pick<SlotQueue, 'noteSlot'>) {
    this.#source = source;
    this.#queue = queue;
  }

  /** Returns the number of the event, for `readAfter`. */
  noteEvent(): number {
    this.#events += 1;
    return this.#events;
  }

  /** Resolves when the queue knows a slot that was read after the event. */
  async readAfter(event: number): Promise<void> {
    if (event <= this.#covered) return;
    const events = this.#events;
    const { slot } = await this.#source.getSlotTime();
    this.#queue.noteSlot(slot);
    this.#covered = Math.max(this.#covered, events);
  }
}
