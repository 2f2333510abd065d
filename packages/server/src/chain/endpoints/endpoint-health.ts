import { formatError, type Logger, type Slot, toSlot } from '@tidegate/core/base';
import { CodedError, type ErrorCode, hasCode } from '../../errors.ts';
import type { EndpointUsage } from '../budget/endpoint-meter.ts';
import type { ChainReader } from '../source/chain-source.ts';
import type { SlotWitness } from './slot-witnesses.ts';

/** Health of an endpoint, for status pages and logs. */
export type EndpointStatus = {
  readonly name: string;
  /** Whether the last request succeeded with a recent slot. */
  readonly healthy: boolean;
  readonly slot: Slot | undefined;
  /** Slots behind the newest slot of any endpoint. */
  readonly lagSlots: bigint | undefined;
  /** The last error; undefined after a success. */
  readonly lastError: ErrorCode | undefined;
  /** Failed requests since the start. */
  readonly failures: number;
  /** Why the last request failed; undefined after a success. */
  readonly failureReason: string | undefined;
  readonly latencyMs: number | undefined;
  /** Whether it belongs to another cluster and is left out. */
  readonly wrongCluster: boolean;
  /** Undefined until it is known; empty if the endpoint does not return it. */
  readonly genesisHash: string | undefined;
  /** Undefined if the endpoint does not count it. */
  readonly usage: EndpointUsage | undefined;
};

export type EndpointHealthOptions = {
  readonly clock: () => number;
  /** How long other endpoints take precedence after a failure. */
  readonly cooldownMs: number;
  readonly log: Logger;
};

/** Latencies up to this value rank equally. */
const LOW_LATENCY_MS = 25;

/** An endpoint with the results of its recent requests. */
export class EndpointHealth {
  readonly reader: ChainReader;
  /** Undefined until it is known; empty if the endpoint does not return it. */
  genesisHash: string | undefined;
  /** Whether the endpoint belongs to another cluster. It is not used until it does not. */
  isWrongCluster = false;
  /** What the endpoint says of the newest slot. */
  readonly witness: SlotWitness;
  readonly #options: EndpointHealthOptions;
  #slot: Slot | undefined;
  #latencyMs: number | undefined;
  #lastError: ErrorCode | undefined;
  #failureReason: string | undefined;
  #failures = 0;
  #cooldownUntil = 0;
  #isDown = false;
  #retryAt = 0;
  #setAside: string | undefined;

  constructor(reader: ChainReader, witness: SlotWitness, options: EndpointHealthOptions) {
    this.reader = reader;
    this.witness = witness;
    this.#options = options;
  }

  get slot(): Slot | undefined {
    return this.#slot;
  }

  /** Whether its accounts differed from those of other sources. */
  get isSetAside(): boolean {
    return this.#setAside !== undefined;
  }

  /** Whether nothing is read from it but what shows that it is right again. */
  get isLeftOut(): boolean {
    return this.isWrongCluster || this.isSetAside;
  }

  /** Why it is left out; undefined to use it again. */
  setAside(reason: string | undefined): void {
    this.#setAside = reason;
  }

  /** Whether it failed since its last success. */
  get isDown(): boolean {
    return this.#isDown;
  }

  get isInCooldown(): boolean {
    return this.#cooldownUntil > this.#options.clock();
  }

  /** Remaining time of the endpoint's `retry-after`. */
  get retryAfterMs(): number {
    return Math.max(0, this.#retryAt - this.#options.clock());
  }

  /** Why no request is sent before `retryAfterMs` has passed. */
  waitError(): CodedError {
    const { retryAfterMs } = this;
    const reason = `it allows the next request in ${Math.ceil(retryAfterMs)} ms`;
    return new CodedError('SOURCE_UNAVAILABLE', {
      source: this.reader.name,
      reason,
      retryAfterMs,
    });
  }

  /** Grows by one per doubling, so that small differences do not change the ranking. */
  get latencyRank(): number {
    return Math.max(0, Math.floor(Math.log2((this.#latencyMs ?? LOW_LATENCY_MS) / LOW_LATENCY_MS)));
  }

  noteSlot(slot: Slot): void {
    if (this.#slot === undefined || slot > this.#slot) this.#slot = slot;
  }

  noteLatency(ms: number): void {
    this.#latencyMs = ms;
  }

  noteSuccess(): void {
    this.#lastError = undefined;
    this.#failureReason = undefined;
    if (!this.#isDown) return;
    this.#isDown = false;
    this.#options.log.info({ source: this.reader.name }, 'endpoint works again');
  }

  /** A rejected request, or a slot that the endpoint has not reached, does not start a cooldown. */
  noteFailure(error: unknown): void {
    if (!(error instanceof CodedError)) return;
    this.#lastError = error.code;
    this.#failures += 1;
    this.#failureReason = reasonOf(error);
    // the reported slot replaces a newer one, because the endpoint may have fallen behind
    if (hasCode(error, 'SOURCE_LAGS') && error.context.slot > 0n) {
      this.#slot = toSlot(error.context.slot);
    }
    if (!hasCode(error, 'SOURCE_UNAVAILABLE')) return;
    const { clock, cooldownMs, log } = this.#options;
    if (!this.#isDown) {
      this.#isDown = true;
      const details = { source: this.reader.name, error: formatError(error) };
      // another cluster is reported where it is found
      if (!this.isWrongCluster)
        log.warn(details, 'endpoint failed, others take precedence for a while');
    }
    const { retryAfterMs = 0 } = error.context;
    this.#retryAt = clock() + retryAfterMs;
    this.#cooldownUntil = clock() + Math.max(cooldownMs, retryAfterMs);
  }

  status(newest: Slot | undefined, maxLagSlots: bigint): EndpointStatus {
    const lagSlots = slotLag(newest, this.#slot);
    const isAvailable = !this.isLeftOut && this.#lastError !== 'SOURCE_UNAVAILABLE';
    return {
      name: this.reader.name,
      healthy: isAvailable && (lagSlots ?? 0n) <= maxLagSlots,
      slot: this.#slot,
      lagSlots,
      lastError: this.#lastError,
      failures: this.#failures,
      failureReason: this.#setAside ?? this.#failureReason,
      latencyMs: this.#latencyMs,
      wrongCluster: this.isWrongCluster,
      genesisHash: this.genesisHash,
      usage: this.reader.usage?.(),
    };
  }
}

const reasonOf = (error: CodedError): string =>
  hasCode(error, 'SOURCE_UNAVAILABLE') || hasCode(error, 'SOURCE_REFUSES')
    ? error.context.reason
    : error.message;

/** No endpoint may be used. */
export function leftOutError(source: string, endpoints: readonly EndpointHealth[]): CodedError {
  const isAnyRight = endpoints.some(({ isWrongCluster }) => !isWrongCluster);
  const reason = isAnyRight ? 'its accounts are wrong' : 'it belongs to another cluster';
  return new CodedError('SOURCE_UNAVAILABLE', { source, reason });
}

export function slotLag(newest: Slot | undefined, slot: Slot | undefined): bigint | undefined {
  if (newest === undefined || slot === undefined) return undefined;
  return newest > slot ? newest - slot : 0n;
}
