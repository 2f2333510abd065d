import { formatError, type LatestBlockhash, type Logger, type Slot } from '@tidegate/core/base';
import { CodedError } from '../errors.ts';

export type BlockhashCacheOptions = {
  /** Fetches one of this slot or a later one. */
  readonly fetchLatest: (minSlot: Slot) => Promise<LatestBlockhash>;
  /** The slot of state. */
  readonly currentSlot: () => Slot;
  /** Milliseconds since any fixed time. */
  readonly clock: () => number;
  readonly log: Logger;
  /** How often a new blockhash is fetched while the cache is in use. */
  readonly refreshMs?: number;
  /** Maximum age of a returned blockhash. A transaction expires after about a minute, which includes signing. */
  readonly maxAgeMs?: number;
  /** How long after the last use the cache stops refreshing. */
  readonly idleMs?: number;
};

/** Slots after which a blockhash is too old, whatever the clock says: the time of a test cluster can jump. */
const MAX_AGE_SLOTS = 32n;

type CachedBlockhash = { readonly latest: LatestBlockhash; readonly requestedAt: number };

/** Keeps a recent blockhash in memory, so that callers neither wait for one nor get one that expires soon. */
export class BlockhashCache {
  readonly #options: Required<BlockhashCacheOptions>;
  #cached: CachedBlockhash | undefined;
  #fetching: Promise<CachedBlockhash> | undefined;
  #lastUsedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: BlockhashCacheOptions) {
    this.#options = { refreshMs: 2_000, maxAgeMs: 5_000, idleMs: 60_000, ...options };
  }

  /** Throws the source's error if the cached blockhash is too old and a new one cannot be fetched. */
  async latest(): Promise<LatestBlockhash> {
    this.#lastUsedAt = this.#options.clock();
    this.#scheduleRefresh();
    const cached = this.#cached;
    if (cached !== undefined && this.#isRecent(cached)) return cached.latest;
    const fetched = await this.#fetch();
    // the request may have begun before state reached its slot
    return (this.#isRecent(fetched) ? fetched : await this.#fetch()).latest;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #isRecent({ latest, requestedAt }: CachedBlockhash): boolean {
    const { clock, maxAgeMs, currentSlot } = this.#options;
    return clock() - requestedAt <= maxAgeMs && currentSlot() - latest.slot <= MAX_AGE_SLOTS;
  }

  /** Concurrent callers share one request. */
  #fetch(): Promise<CachedBlockhash> {
    const { fetchLatest, clock, currentSlot } = this.#options;
    const requestedAt = clock();
    this.#fetching ??= fetchLatest(currentSlot())
      .then((latest) => {
        this.#cached = { latest, requestedAt };
        return this.#cached;
      })
      .finally(() => {
        this.#fetching = undefined;
      });
    return this.#fetching;
  }

  #scheduleRefresh(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#refresh(), this.#options.refreshMs).unref();
  }

  async #refresh(): Promise<void> {
    const { clock, idleMs, log } = this.#options;
    const isIdle = clock() - this.#lastUsedAt >= idleMs;
    if (!isIdle) {
      try {
        await this.#fetch();
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        log.debug({ error: formatError(error) }, 'blockhash was not refreshed');
      }
    }
    this.#timer = undefined;
    if (!isIdle) this.#scheduleRefresh();
  }
}
