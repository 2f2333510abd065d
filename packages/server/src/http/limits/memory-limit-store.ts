import type { RateLimitPolicy, RateLimitResult, RateLimitStore } from './rate-limit.ts';

/** Slices per window. One more is stored, so that the slices always cover a full window. */
const SLICES = 30;
const DEFAULT_MAX_CALLERS = 100_000;
/** Callers to check for an expired one before an active one is evicted. */
const EVICTION_ATTEMPTS = 16;

type Account = {
  readonly policy: RateLimitPolicy;
  readonly spent: Float64Array;
  /** Index of the newest slice since the epoch. */
  newest: number;
  /** All slices before this one are empty. */
  oldest: number;
  total: number;
};

/**
 * Sliding window: a caller never spends more than the quota in any `windowSeconds`. Slices expire as a whole, up to 1/30
 * of a window late.
 */
export class MemoryRateLimitStore implements RateLimitStore {
  readonly #accounts = new Map<string, Account>();
  readonly #clock: () => number;
  readonly #maxCallers: number;

  constructor(clock: () => number, maxCallers = DEFAULT_MAX_CALLERS) {
    this.#clock = clock;
    this.#maxCallers = maxCallers;
  }

  get callers(): number {
    return this.#accounts.size;
  }

  /** A call that costs more than the quota is allowed if the window is empty. */
  take(caller: string, cost: number, policy: RateLimitPolicy): RateLimitResult {
    const now = this.#clock();
    const sliceMs = (policy.windowSeconds * 1000) / SLICES;
    const slice = Math.floor(now / sliceMs);
    const account = this.#account(caller, policy, slice);
    advance(account, slice);
    const charge = Math.min(cost, policy.quota);
    const allowed = account.total + charge <= policy.quota;
    if (allowed) {
      const index = slice % account.spent.length;
      account.spent[index] = (account.spent[index] ?? 0) + charge;
      account.total += charge;
    }
    const needed = allowed ? 0 : account.total + charge - policy.quota;
    const freedAt = (findFreeingSlice(account, needed) + account.spent.length) * sliceMs;
    return {
      allowed,
      remaining: policy.quota - account.total,
      resetSeconds: Math.max(1, Math.ceil((freedAt - now) / 1000)),
    };
  }

  #account(caller: string, policy: RateLimitPolicy, slice: number): Account {
    const known = this.#accounts.get(caller);
    if (known !== undefined && known.policy.windowSeconds === policy.windowSeconds) return known;
    this.#evict();
    const spent = new Float64Array(SLICES + 1);
    const account: Account = { policy, spent, newest: slice, oldest: slice, total: 0 };
    this.#accounts.set(caller, account);
    return account;
  }

  /** Evicts the oldest callers with an expired window; if the first few are all active, the oldest one. */
  #evict(): void {
    for (let attempts = 1; this.#accounts.size >= this.#maxCallers; attempts += 1) {
      const [oldest] = this.#accounts;
      if (oldest === undefined) return;
      const [caller, account] = oldest;
      this.#accounts.delete(caller);
      const windowMs = account.policy.windowSeconds * 1000;
      const expiresAt = (account.newest + 1) * (windowMs / SLICES) + windowMs;
      if (expiresAt > this.#clock() && attempts < EVICTION_ATTEMPTS)
        this.#accounts.set(caller, account);
    }
  }
}

/** Clears expired slices. Does nothing if the clock goes backwards. */
function advance(account: Account, slice: number): void {
  const { spent } = account;
  const passed = Math.min(slice - account.newest, spent.length);
  for (let step = 1; step <= passed; step += 1) {
    const index = (account.newest + step) % spent.length;
    account.total -= spent[index] ?? 0;
    spent[index] = 0;
  }
  if (passed <= 0) return;
  account.newest = slice;
  account.oldest = Math.max(account.oldest, slice - spent.length + 1);
}

/** The slice whose expiry frees `needed` units; for 0 the oldest slice that is not empty. */
function findFreeingSlice(account: Account, needed: number): number {
  const { spent, newest } = account;
  let freed = 0;
  for (let slice = account.oldest; slice < newest; slice += 1) {
    const units = spent[slice % spent.length] ?? 0;
    freed += units;
    if (units > 0 && freed >= needed) return slice;
    if (freed === 0) account.oldest = slice + 1;
  }
  return newest;
}
