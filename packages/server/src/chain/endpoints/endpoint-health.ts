import {
  CodedError,
  type ErrorCode,
  formatError,
  hasCode,
  type Logger,
  type Slot,
  toSlot,
} from '@tidegate/core/base';
import type { ChainReader } from '../source/chain-reader.ts';

/** How an endpoint does, for people. */
export type EndpointStatus = {
  readonly name: string;
  /** What it was asked last it has answered, and not with something old. */
  readonly healthy: boolean;
  readonly slot: Slot | undefined;
  /** Behind the newest slot that any endpoint has answered for. */
  readonly lagSlots: bigint | undefined;
  /** Of the last failure, undefined since it works again. */
  readonly lastError: ErrorCode | undefined;
  readonly latencyMs: number | undefined;
};

export type EndpointHealthOptions = {
  readonly clock: () => number;
  /** How long one that failed is passed over while there are others. */
  readonly cooldownMs: number;
  readonly log: Logger;
};

/** Latencies up to this are as good as each other. */
const QUICK_MS = 25;

/** What is remembered of an endpoint between requests. */
export class EndpointHealth {
  readonly reader: ChainReader;
  /** Undefined until it was asked, empty where it does not tell. */
  genesisHash: string | undefined;
  /** Of another cluster: never asked again. */
  isWrongCluster = false;
  readonly #options: EndpointHealthOptions;
  #slot: Slot | undefined;
  #latencyMs: number | undefined;
  #lastError: ErrorCode | undefined;
  #coolUntil = 0;
  #retryAt = 0;

  constructor(reader: ChainReader, options: EndpointHealthOptions) {
    this.reader = reader;
    this.#options = options;
  }

  get slot(): Slot | undefined {
    return this.#slot;
  }

  get isInCooldown(): boolean {
    return this.#coolUntil > this.#options.clock();
  }

  /** Until it may be asked again, by its own word. */
  get retryAfterMs(): number {
    return Math.max(0, this.#retryAt - this.#options.clock());
  }

  /** By a factor of two, so that small differences do not move requests to and fro. */
  get latencyRank(): number {
    return Math.max(0, Math.floor(Math.log2((this.#latencyMs ?? QUICK_MS) / QUICK_MS)));
  }

  noteSlot(slot: Slot): void {
    if (this.#slot === undefined || slot > this.#slot) this.#slot = slot;
  }

  noteLatency(ms: number): void {
    this.#latencyMs = ms;
  }

  noteSuccess(): void {
    this.#lastError = undefined;
  }

  /** A refusal, or a slot that the endpoint cannot know yet, says nothing against its next answer. */
  noteFailure(error: unknown): void {
    if (!(error instanceof CodedError)) return;
    this.#lastError = error.code;
    // one that fell behind is there now, wherever it was before
    if (hasCode(error, 'SOURCE_LAGS') && error.context.slot > 0n) {
      this.#slot = toSlot(error.context.slot);
    }
    if (!hasCode(error, 'SOURCE_UNAVAILABLE')) return;
    const { clock, cooldownMs, log } = this.#options;
    if (!this.isInCooldown) {
      const facts = { source: this.reader.name, error: formatError(error) };
      log.warn(facts, 'endpoint failed, others come first for a while');
    }
    const { retryAfterMs = 0 } = error.context;
    this.#retryAt = clock() + retryAfterMs;
    this.#coolUntil = clock() + Math.max(cooldownMs, retryAfterMs);
  }

  status(best: Slot | undefined, maxLagSlots: bigint): EndpointStatus {
    const lagSlots = slotLag(best, this.#slot);
    const answers = !this.isWrongCluster && this.#lastError !== 'SOURCE_UNAVAILABLE';
    return {
      name: this.reader.name,
      healthy: answers && (lagSlots ?? 0n) <= maxLagSlots,
      slot: this.#slot,
      lagSlots,
      lastError: this.#lastError,
      latencyMs: this.#latencyMs,
    };
  }
}

export function slotLag(best: Slot | undefined, slot: Slot | undefined): bigint | undefined {
  if (best === undefined || slot === undefined) return undefined;
  return best > slot ? best - slot : 0n;
}
