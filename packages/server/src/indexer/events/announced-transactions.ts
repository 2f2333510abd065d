import type { AnnouncedTransaction } from './transaction-announcements.ts';

/** Announced transactions in memory. While nothing can be recorded, later ones are found by a poll. */
const MAX_WAITING = 10_000;
/** Of these, whole transactions: the others are fetched. */
const MAX_WHOLE = 1_000;
/** A node may announce a transaction shortly before it returns it. */
const MAX_ATTEMPTS = 8;

/** Announced transactions that are to be recorded, each once. */
export class AnnouncedTransactions {
  readonly #waiting = new Map<string, AnnouncedTransaction>();
  /** How often a transaction that waits could not be recorded. */
  readonly #attempts = new Map<string, number>();

  get size(): number {
    return this.#waiting.size;
  }

  has(signature: string): boolean {
    return this.#waiting.has(signature);
  }

  /** Failed transactions have no events. Returns false if there is no room. */
  add(announced: AnnouncedTransaction): boolean {
    const { signature, slot, failed } = announced;
    if (failed) return true;
    const known = this.#waiting.get(signature);
    if (known === undefined && this.#waiting.size >= MAX_WAITING) return false;
    // the last announcement has the slot in which it landed
    if (known?.slot === slot && 'transaction' in known) return true;
    const isHeld = this.#waiting.size < MAX_WHOLE;
    this.#waiting.set(signature, isHeld ? announced : { signature, slot, failed });
    return true;
  }

  /** Removes and returns the first ones. */
  take(limit: number): readonly AnnouncedTransaction[] {
    const taken = [...this.#waiting.values()].slice(0, limit);
    for (const { signature } of taken) this.#waiting.delete(signature);
    return taken;
  }

  /** Call it for what was taken. What is missing waits again; returns false if some of it was tried too often and is given up. */
  finish(taken: readonly AnnouncedTransaction[], missing: readonly string[]): boolean {
    let isComplete = true;
    for (const each of taken) {
      const isDone = !missing.includes(each.signature);
      if (!isDone && this.#putBack(each)) continue;
      this.#attempts.delete(each.signature);
      isComplete &&= isDone;
    }
    return isComplete;
  }

  #putBack(announced: AnnouncedTransaction): boolean {
    const { signature } = announced;
    const attempts = (this.#attempts.get(signature) ?? 0) + 1;
    this.#attempts.set(signature, attempts);
    if (attempts >= MAX_ATTEMPTS) return false;
    if (!this.has(signature)) this.#waiting.set(signature, announced);
    return true;
  }
}
