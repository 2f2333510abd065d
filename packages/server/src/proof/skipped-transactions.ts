import { type Slot, toSlot } from '@tidegate/core/base';
import type { SeenTransaction } from '../indexer/events/event-follower-options.ts';

/** Transactions of slots that were not held, until they are counted. */
export class SkippedTransactions {
  readonly #signatures = new Map<Slot, Set<string>>();
  /** Slots from after `#from` up to `#upTo` were not held; no end while they still pass. */
  #from = toSlot(0n);
  #upTo: Slot | undefined = toSlot(0n);
  #counted = toSlot(0n);

  /** Slots after this one are not held. */
  begin(after: Slot): void {
    this.#from = after;
    this.#upTo = undefined;
  }

  /** Slots after this one are held again. `transactions`: of slots until then. */
  end(upTo: Slot, transactions: readonly SeenTransaction[]): void {
    if (this.#upTo !== undefined) return;
    this.#upTo = upTo;
    this.add(transactions);
  }

  add(transactions: readonly SeenTransaction[]): void {
    for (const { slot, signature } of transactions) {
      if (slot <= this.#counted) continue;
      const known = this.#signatures.get(slot) ?? new Set<string>();
      this.#signatures.set(slot, known.add(signature));
    }
  }

  /** One that became known after its slot; ignored if the slot was held. */
  addLate(transaction: SeenTransaction): void {
    const { slot } = transaction;
    const isSkipped = slot > this.#from && (this.#upTo === undefined || slot <= this.#upTo);
    if (isSkipped) this.add([transaction]);
  }

  /** The number of transactions of slots up to one for which all are known. Counts each once. */
  take(completeUpTo: Slot): number {
    let count = 0;
    for (const [slot, signatures] of this.#signatures) {
      if (slot > completeUpTo) continue;
      count += signatures.size;
      this.#signatures.delete(slot);
    }
    if (completeUpTo > this.#counted) this.#counted = completeUpTo;
    return count;
  }

  clear(): void {
    this.#signatures.clear();
  }
}
