import type { RateLimitPolicy, RateLimitResult, RateLimitStore } from './rate-limit.ts';

/** The window is counted in slices; one more than these is kept, so that every full window is covered. */
const SLICES = 30;
const DEFAULT_MAX_CALLERS = 100_000;
/** How many callers are looked at for one that can be forgotten, when there are too many. */
const EVICTION_TRIES = 16;

type Account = {
  readonly policy: RateLimitPolicy;
  readonly spent: Float64Array;
  /** Number of the newest slice, counted from the epoch. */
  newest: number;
  /** No slice before this one has anything. */
  oldest: number;
  total: number;
};

/**
 * A sliding window: what a caller spent in the last `windowSeconds` is never more than the quota,
 * wherever the window is laid. Spending is forgotten a slice at a time, at most 1/30 of a window late.
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

  /** A call that costs more than the whole quota is let through when nothing else was spent. */
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
    const freedAt = (sliceThatFrees(account, needed) + account.spent.length) * sliceMs;
    return {
      allowed,
      remaining: policy.quota - account.total,
      resetSeconds: Math.max(1, Math.ceil((freedAt - now) / 1000)),
    };
  }

  #account(caller: string, policy: RateLimitPolicy, slice: number): Account {
    const known = this.#accounts.get(caller);
    if (known !== undefined && known.policy.windowSeconds === policy.windowSeconds) return known;
    this.#makeRoom();
    const spent = new Float64Array(SLICES + 1);
    const account: Account = { policy, spent, newest: slice, oldest: slice, total: 0 };
    this.#accounts.set(caller, account);
    return account;
  }

  /** Forgets the oldest callers whose window is empty by now; if there is none among the first few, the oldest. */
  #makeRoom(): void {
    for (let tries = 1; this.#accounts.size >= this.#maxCallers; tries += 1) {
      const [oldest] = this.#accounts;
      if (oldest === undefined) return;
      const [caller, account] = oldest;
      this.#accounts.delete(caller);
      const windowMs = account.policy.windowSeconds * 1000;
      const ended = (account.newest + 1) * (windowMs / SLICES) + windowMs;
      if (ended > this.#clock() && tries < EVICTION_TRIES) this.#accounts.set(caller, account);
    }
  }
}

/** Drops the slices that have left the window. A clock that goes back changes nothing. */
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

/** The slice with whose end `needed` units leave the window; with 0, the oldest one that has any. */
function sliceThatFrees(account: Account, needed: number): number {
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
