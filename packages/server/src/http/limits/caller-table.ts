const DEFAULT_MAX_CALLERS = 100_000;
/** Callers to check for an expired one before an active one is evicted. */
const EVICTION_ATTEMPTS = 16;

type Expiring = {
  readonly windowSeconds: number;
  /** Epoch ms. */
  readonly expiresAt: number;
};

/** A bounded table of callers. */
export class CallerTable<Account extends Expiring> {
  readonly #accounts = new Map<string, Account>();
  readonly #maxCallers: number;

  constructor(maxCallers = DEFAULT_MAX_CALLERS) {
    this.#maxCallers = maxCallers;
  }

  get size(): number {
    return this.#accounts.size;
  }

  /** Undefined for an unknown caller, or if its window has another length. */
  find(caller: string, windowSeconds: number): Account | undefined {
    const known = this.#accounts.get(caller);
    return known?.windowSeconds === windowSeconds ? known : undefined;
  }

  /** Evicts the oldest callers with an expired window; if the first few are all active, the oldest one. */
  add(caller: string, added: Account, now: number): void {
    for (let attempts = 1; this.#accounts.size >= this.#maxCallers; attempts += 1) {
      const [oldest] = this.#accounts;
      if (oldest === undefined) break;
      const [name, account] = oldest;
      this.#accounts.delete(name);
      if (account.expiresAt > now && attempts < EVICTION_ATTEMPTS)
        this.#accounts.set(name, account);
    }
    this.#accounts.set(caller, added);
  }
}
