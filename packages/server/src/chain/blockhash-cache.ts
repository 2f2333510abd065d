import { CodedError, formatError, type LatestBlockhash, type Logger } from '@tidegate/core/base';

export type BlockhashCacheOptions = {
  readonly fetchLatest: () => Promise<LatestBlockhash>;
  /** Milliseconds since whenever. */
  readonly clock: () => number;
  readonly log: Logger;
  /** How often a new one is asked for while somebody needs them. */
  readonly refreshMs?: number;
  /** An older one is not handed out. A transaction has about a minute, which also its signer needs. */
  readonly maxAgeMs?: number;
  /** How long after the last time that one was needed new ones are asked for. */
  readonly idleMs?: number;
};

type Kept = { readonly latest: LatestBlockhash; readonly askedAt: number };

/** A recent blockhash at hand, so that whoever needs one does not wait for it, nor gets one that is about to expire. */
export class BlockhashCache {
  readonly #options: Required<BlockhashCacheOptions>;
  #kept: Kept | undefined;
  #asking: Promise<Kept> | undefined;
  #neededAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: BlockhashCacheOptions) {
    this.#options = { refreshMs: 2_000, maxAgeMs: 5_000, idleMs: 60_000, ...options };
  }

  /** Fails as the source does, when there is none that is recent and none can be had. */
  async latest(): Promise<LatestBlockhash> {
    const { clock, maxAgeMs } = this.#options;
    this.#neededAt = clock();
    this.#goOn();
    const kept = this.#kept;
    if (kept !== undefined && clock() - kept.askedAt <= maxAgeMs) return kept.latest;
    return (await this.#ask()).latest;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** One question at a time, for all who need the answer. */
  #ask(): Promise<Kept> {
    const { fetchLatest, clock } = this.#options;
    const askedAt = clock();
    this.#asking ??= fetchLatest()
      .then((latest) => {
        this.#kept = { latest, askedAt };
        return this.#kept;
      })
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }

  #goOn(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#refresh(), this.#options.refreshMs).unref();
  }

  async #refresh(): Promise<void> {
    const { clock, idleMs, log } = this.#options;
    const isIdle = clock() - this.#neededAt >= idleMs;
    if (!isIdle) {
      try {
        await this.#ask();
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        log.debug({ error: formatError(error) }, 'no new blockhash');
      }
    }
    this.#timer = undefined;
    if (!isIdle) this.#goOn();
  }
}
