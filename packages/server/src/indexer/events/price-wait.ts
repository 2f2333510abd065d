import type { HistoricalPrices } from '../prices/historical-prices.ts';

/** Longest time that a transaction waits. Then it is recorded without a price, and its value is refused. */
const MAX_WAIT_MS = 60_000;
/** Beyond this many, transactions do not wait. */
const MAX_WAITING = 10_000;

/** Transactions that are not recorded yet, because state has not reached their slot, whose prices their events need. */
export class PriceWait {
  readonly #since = new Map<string, number>();
  readonly #now: () => number;

  /** `now`: milliseconds that never go back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  isWaiting(signature: string): boolean {
    return this.#since.has(signature);
  }

  /** Whether the transaction may wait, or wait on. */
  mayWait(signature: string): boolean {
    const since = this.#since.get(signature);
    if (since !== undefined) return this.#now() - since < MAX_WAIT_MS;
    if (this.#since.size >= MAX_WAITING) return false;
    this.#since.set(signature, this.#now());
    return true;
  }

  end(signatures: readonly string[]): void {
    for (const signature of signatures) this.#since.delete(signature);
  }
}

/** The same prices, and whether one was asked for that is not known. */
export function notePriceMisses(prices: HistoricalPrices) {
  let isMissing = false;
  const note = <Price>(price: Price | undefined): Price | undefined => {
    isMissing ||= price === undefined;
    return price;
  };
  const noting: HistoricalPrices = {
    ...prices,
    priceAt: (mint, at) => note(prices.priceAt(mint, at)),
    solPriceAt: (at) => note(prices.solPriceAt(at)),
  };
  return { prices: noting, isMissing: () => isMissing };
}
