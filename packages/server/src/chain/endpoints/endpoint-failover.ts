import { type Logger, type Slot, toSlot } from '@tidegate/core/base';
import { CodedError, hasCode } from '../../errors.ts';
import { backoffMs, sleepUnlessAborted } from '../retry.ts';
import { isInvalidParams } from '../rpc/rpc-errors.ts';
import type { ChainReader } from '../source/chain-source.ts';
import type { EndpointWitness } from '../source/endpoint-witness.ts';
import type { LedgerReader } from '../source/ledger-reader.ts';
import { SourceAlarms } from '../source/source-alarms.ts';
import { ClusterCheck } from './cluster-check.ts';
import { EndpointHealth, type EndpointStatus, leftOutError, slotLag } from './endpoint-health.ts';
import { rankEndpoints } from './endpoint-order.ts';
import { endpointWitness } from './endpoint-witness.ts';
import {
  type EndpointRequest,
  type FailoverReads,
  failoverLedger,
  failoverReads,
  slotRequest,
} from './failover-reads.ts';
import { SlotWitnesses } from './slot-witnesses.ts';

const MAX_RETRY_MS = 5_000;
/** How long the first request waits for the first probe of the endpoints. */
const FIRST_PROBE_MS = 1_000;
/** An endpoint with a strange slot is compared again, unless it was compared within this time. */
const SUSPECT_MS = 10_000;
/**
 * Combines several endpoints. A request goes to the healthiest endpoint; after a failure it goes to the next, and
 * starts over after a pause. A result far behind the newest known slot counts as a failure.
 */
export class EndpointFailover {
  readonly reads: FailoverReads;
  readonly #options: Required<Omit<EndpointFailoverOptions, 'genesisHash'>>;
  readonly #cluster: ClusterCheck;
  readonly #endpoints: readonly EndpointHealth[];
  readonly #closed = new AbortController();
  readonly #firstProbe: Promise<void>;

  constructor(readers: readonly ChainReader[], options: EndpointFailoverOptions) {
    const [first] = readers;
    if (first === undefined) {
      throw new CodedError('SOURCE_UNAVAILABLE', { source: 'cluster', reason: 'no endpoint' });
    }
    this.reads = {
      name: readers.map(({ name }) => name).join(', '),
      commitment: first.commitment,
      ...failoverReads((request) => this.#call(request)),
    };
    const { clock, now = clock } = options;
    const withDefaults = {
      probeMs: 15_000,
      cooldownMs: 5_000,
      retryMs: 200,
      attempts: 4,
      alarms: new SourceAlarms(clock),
      witnesses: new SlotWitnesses({ ...options, now }),
      now,
      ...options,
    };
    this.#options = withDefaults;
    this.#cluster = new ClusterCheck(withDefaults);
    this.#endpoints = readers.map((reader) => {
      const witness = withDefaults.witnesses.add(reader.name);
      return new EndpointHealth(reader, witness, withDefaults);
    });
    const firstProbe = this.#probeAll();
    this.#firstProbe =
      readers.length === 1
        ? Promise.resolve()
        : Promise.race([firstProbe, sleepUnlessAborted(FIRST_PROBE_MS, this.#closed.signal)]);
    void this.#runProbes(firstProbe);
  }

  /** The ledger of each endpoint by itself, without another one if it fails. */
  ledgers(): readonly LedgerReader[] {
    return this.#endpoints
      .filter(({ isWrongCluster }) => !isWrongCluster)
      .map((endpoint) => failoverLedger((request) => this.#attempt(endpoint, request)));
  }

  /** Each endpoint that belongs to the cluster, to be read on its own. */
  witnesses(): readonly EndpointWitness[] {
    const { alarms, log } = this.#options;
    const right = this.#endpoints.filter(({ isWrongCluster }) => !isWrongCluster);
    return right.map((endpoint) =>
      endpointWitness(endpoint, {
        all: this.#endpoints,
        send: (request) => this.#attempt(endpoint, request),
        alarms,
        log,
      }),
    );
  }

  /** The newest slot that is believed. */
  newestSlot(): Slot | undefined {
    return this.#options.witnesses.newestSlot();
  }

  /** The genesis hash of the cluster, as far as it is known without a request. */
  knownGenesisHash(): string | undefined {
    return this.#cluster.genesisHash;
  }

  status(): readonly EndpointStatus[] {
    const newest = this.newestSlot();
    return this.#endpoints.map((endpoint) => endpoint.status(newest, this.#options.maxLagSlots));
  }

  close(): void {
    this.#closed.abort();
    for (const { reader } of this.#endpoints) reader.close();
  }

  async #call<Value>(request: EndpointRequest<Value>): Promise<Value> {
    await this.#firstProbe;
    const rejecting = new Set<EndpointHealth>();
    const closed = { source: this.reads.name, reason: 'it was closed' };
    let failure: unknown = new CodedError('SOURCE_UNAVAILABLE', closed);
    for (let round = 0; round < this.#options.attempts; round++) {
      if (round > 0) await this.#pauseBefore(round);
      if (this.#closed.signal.aborted) break;
      if (this.#ranked().length === 0) throw leftOutError(this.reads.name, this.#endpoints);
      for (const endpoint of this.#ranked(request.isCheck)) {
        if (rejecting.has(endpoint)) continue;
        if (endpoint.retryAfterMs > 0) {
          failure = endpoint.waitError();
          continue;
        }
        try {
          return await this.#attempt(endpoint, request);
        } catch (error) {
          failure = error;
          if (isRejection(error)) rejecting.add(endpoint);
          else if (!isTransient(error)) throw error;
        }
        if (rejecting.size >= this.#maxRejections(failure)) throw failure;
      }
    }
    throw failure;
  }

  /** One of many endpoints may serve a method, but a request that two find invalid is invalid. */
  #maxRejections(failure: unknown): number {
    const endpoints = this.#ranked().length;
    return isInvalidParams(failure) ? Math.min(2, endpoints) : endpoints;
  }

  async #attempt<Value>(
    endpoint: EndpointHealth,
    { send, slotOf, findsClosed = false }: EndpointRequest<Value>,
  ): Promise<Value> {
    const newestBefore = this.newestSlot();
    try {
      if (findsClosed || this.#mayBeOther(endpoint)) await this.#cluster.require(endpoint);
      const value = await send(endpoint.reader);
      if (findsClosed || this.#cluster.isDue(endpoint)) await this.#cluster.require(endpoint);
      const slot = slotOf(value);
      if (slot !== undefined) await this.#requireBelieved(endpoint, slot, newestBefore);
      endpoint.noteSuccess();
      return value;
    } catch (error) {
      if (hasCode(error, 'SOURCE_LAGS') && error.context.slot > 0n) {
        endpoint.witness.report(toSlot(error.context.slot), newestBefore);
      }
      endpoint.noteFailure(error);
      throw error;
    }
  }

  /** Nothing is read from an endpoint before it is known to belong to the cluster, unless it decides which cluster it is. */
  #mayBeOther(endpoint: EndpointHealth): boolean {
    if (endpoint.isWrongCluster) return true;
    const decides = this.#endpoints.length === 1 && this.#cluster.genesisHash === undefined;
    return this.#cluster.isUnchecked(endpoint) && !decides;
  }

  /** Compares with the newest slot before the request, because a large response is old when it arrives. */
  async #requireBelieved(
    endpoint: EndpointHealth,
    slot: Slot,
    newestBefore: Slot | undefined,
  ): Promise<void> {
    const source = endpoint.reader.name;
    const leap = endpoint.witness.report(slot, newestBefore);
    const lags = newestBefore !== undefined && this.#lags(slot, newestBefore);
    if (leap === undefined) endpoint.noteSlot(slot);
    if (leap === undefined && !lags) return;
    // a strange slot may be one of another cluster
    await this.#cluster.require(endpoint, SUSPECT_MS);
    if (leap === undefined) {
      const minSlot = (newestBefore ?? slot) - this.#options.maxLagSlots;
      throw new CodedError('SOURCE_LAGS', { source, slot, minSlot });
    }
    this.#options.alarms.raise('leap', source, leap);
    throw new CodedError('SOURCE_UNAVAILABLE', { source, reason: leap });
  }

  #ranked(isCheck = false): readonly EndpointHealth[] {
    return rankEndpoints(this.#endpoints, { lags: ({ slot }) => this.#lags(slot), isCheck });
  }

  #lags(slot: Slot | undefined, newest = this.newestSlot()): boolean {
    return (slotLag(newest, slot) ?? 0n) > this.#options.maxLagSlots;
  }

  async #pauseBefore(round: number): Promise<void> {
    const { retryMs: firstMs, random } = this.#options;
    const backoff = backoffMs({ firstMs, maxMs: MAX_RETRY_MS, random }, round - 1);
    const retryAfter = Math.min(...this.#endpoints.map(({ retryAfterMs }) => retryAfterMs));
    const ms = Math.min(MAX_RETRY_MS, Math.max(backoff, retryAfter));
    await sleepUnlessAborted(ms, this.#closed.signal);
  }

  async #runProbes(first: Promise<void>): Promise<void> {
    await first;
    while (!this.#closed.signal.aborted) {
      await sleepUnlessAborted(this.#options.probeMs, this.#closed.signal);
      if (!this.#closed.signal.aborted) await this.#probeAll();
    }
  }

  async #probeAll(): Promise<void> {
    await Promise.all(this.#endpoints.map((endpoint) => this.#probe(endpoint)));
  }

  async #probe(endpoint: EndpointHealth): Promise<void> {
    if (endpoint.isInCooldown) return;
    const startedAt = this.#options.clock();
    try {
      await this.#attempt(endpoint, slotRequest);
      endpoint.noteLatency(this.#options.clock() - startedAt);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
    }
  }
}

/** Whether the same request may succeed later or at another endpoint. */
function isTransient(error: unknown): boolean {
  return hasCode(error, 'SOURCE_UNAVAILABLE') || hasCode(error, 'SOURCE_LAGS');
}

/** Whether only another endpoint may serve the request. */
function isRejection(error: unknown): boolean {
  return hasCode(error, 'SOURCE_REFUSES') || hasCode(error, 'RPC_BUDGET_SPENT');
}

export type EndpointFailoverOptions = {
  readonly maxLagSlots: bigint;
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
  /** How often the slot of each endpoint is requested. */
  readonly probeMs?: number;
  readonly cooldownMs?: number;
  /** First pause after all endpoints failed; it doubles. */
  readonly retryMs?: number;
  /** Rounds over all endpoints before a request fails. */
  readonly attempts?: number;
  /** Genesis hash of the cluster. Without it, the first endpoint that returns one decides. */
  readonly genesisHash?: string | undefined;
  /** Shared with the streams of the cluster; by default the endpoints are the only witnesses, by `clock`. */
  readonly witnesses?: SlotWitnesses;
  readonly alarms?: SourceAlarms;
  /** Milliseconds that never go back; `clock` by default. */
  readonly now?: () => number;
};
