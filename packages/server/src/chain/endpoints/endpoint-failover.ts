import {
  CodedError,
  type Commitment,
  hasCode,
  type LatestBlockhash,
  type Logger,
  type Ratio,
  type SimulationResult,
  type Slot,
} from '@tidegate/core/base';
import type { ChainReader } from '../source/chain-reader.ts';
import type { ChainSource, ProgramScan, SlotTime } from '../source/chain-source.ts';
import type { LedgerReader } from '../source/ledger-reader.ts';
import { backoffMs, sleepUnlessAborted } from '../retry.ts';
import { EndpointHealth, type EndpointStatus, slotLag } from './endpoint-health.ts';

export type EndpointFailoverOptions = {
  readonly maxLagSlots: bigint;
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
  /** How often each endpoint is asked for its slot. */
  readonly probeMs?: number;
  readonly cooldownMs?: number;
  /** First pause after all endpoints have failed; it doubles. */
  readonly retryMs?: number;
  /** How often all endpoints are gone through before a request fails. */
  readonly attempts?: number;
};

/** How to ask, and which slot an answer is true for. */
type Question<Value> = {
  readonly ask: (reader: ChainReader) => Promise<Value>;
  readonly slotOf: (value: Value) => Slot | undefined;
};

const LONGEST_RETRY_MS = 5_000;
/** How long a first request waits to know which endpoint is the best. */
const FIRST_PROBE_MS = 1_000;
const slotQuestion: Question<Slot> = { ask: (reader) => reader.slot(), slotOf: (slot) => slot };

/**
 * Several endpoints as one. A request goes to the healthiest; if that fails it goes to the next, and round again
 * after a pause. An answer far behind the newest slot that any endpoint knows counts as a failure.
 */
export class EndpointFailover implements ChainReader {
  readonly name: string;
  readonly commitment: Commitment;
  readonly ledger: LedgerReader;
  readonly #options: Required<EndpointFailoverOptions>;
  readonly #endpoints: readonly EndpointHealth[];
  readonly #closing = new AbortController();
  readonly #firstProbe: Promise<void>;
  #genesisHash: string | undefined;
  #best: Slot | undefined;

  constructor(readers: readonly ChainReader[], options: EndpointFailoverOptions) {
    const [first] = readers;
    if (first === undefined) {
      throw new CodedError('SOURCE_UNAVAILABLE', { source: 'cluster', reason: 'no endpoint' });
    }
    this.name = readers.map(({ name }) => name).join(', ');
    this.commitment = first.commitment;
    this.ledger = this.#createLedger();
    const all = { probeMs: 5_000, cooldownMs: 5_000, retryMs: 200, attempts: 4, ...options };
    this.#options = all;
    this.#endpoints = readers.map((reader) => new EndpointHealth(reader, all));
    const probed = this.#probeAll();
    this.#firstProbe =
      readers.length === 1
        ? Promise.resolve()
        : Promise.race([probed, sleepUnlessAborted(FIRST_PROBE_MS, this.#closing.signal)]);
    void this.#keepProbing(probed);
  }

  getGenesisHash(): Promise<string> {
    return this.#call({ ask: (reader) => reader.getGenesisHash(), slotOf: () => undefined });
  }

  slot(): Promise<Slot> {
    return this.#call(slotQuestion);
  }

  getSlotTime(): Promise<SlotTime> {
    return this.#call({ ask: (reader) => reader.getSlotTime(), slotOf: ({ slot }) => slot });
  }

  getSlotDurationMs(): Promise<Ratio | undefined> {
    return this.#call({ ask: (reader) => reader.getSlotDurationMs(), slotOf: () => undefined });
  }

  getAccounts(
    ...asked: Parameters<ChainSource['getAccounts']>
  ): ReturnType<ChainSource['getAccounts']> {
    const ask = (reader: ChainReader) => reader.getAccounts(...asked);
    return this.#call({ ask, slotOf: ({ slot }) => slot });
  }

  scanProgram(scan: ProgramScan, minSlot?: Slot): ReturnType<ChainSource['scanProgram']> {
    const ask = (reader: ChainReader) => reader.scanProgram(scan, minSlot);
    return this.#call({ ask, slotOf: ({ slot }) => slot });
  }

  getLatestBlockhash(minSlot?: Slot): Promise<LatestBlockhash> {
    const ask = (reader: ChainReader) => reader.getLatestBlockhash(minSlot);
    return this.#call({ ask, slotOf: ({ slot }) => slot });
  }

  /** It changes nothing, so it may be asked again elsewhere. */
  simulate(...asked: Parameters<ChainSource['simulate']>): Promise<SimulationResult> {
    const ask = (reader: ChainReader) => reader.simulate(...asked);
    return this.#call({ ask, slotOf: ({ slot }) => slot });
  }

  /** The newest slot that any endpoint has answered for, be it behind that by now. */
  newestSlot(): Slot | undefined {
    return this.#best;
  }

  status(): readonly EndpointStatus[] {
    const best = this.newestSlot();
    return this.#endpoints.map((endpoint) => endpoint.status(best, this.#options.maxLagSlots));
  }

  close(): void {
    this.#closing.abort();
    for (const { reader } of this.#endpoints) reader.close();
  }

  #createLedger(): LedgerReader {
    const call = <Value>(ask: (ledger: LedgerReader) => Promise<Value>) =>
      this.#call({ ask: ({ ledger }) => ask(ledger), slotOf: () => undefined });
    return {
      listSignatures: (asked) => call((ledger) => ledger.listSignatures(asked)),
      getTransactions: (asked) => call((ledger) => ledger.getTransactions(asked)),
      getBlockSignatures: (slot) => call((ledger) => ledger.getBlockSignatures(slot)),
      getFinalizedSlot: () => call((ledger) => ledger.getFinalizedSlot()),
    };
  }

  async #call<Value>(question: Question<Value>): Promise<Value> {
    await this.#firstProbe;
    const refusing = new Set<EndpointHealth>();
    let failure: unknown = this.#closed();
    for (let round = 0; round < this.#options.attempts; round++) {
      if (round > 0) await this.#pauseBefore(round);
      if (this.#closing.signal.aborted) break;
      for (const endpoint of this.#ranked()) {
        if (refusing.has(endpoint)) continue;
        try {
          return await this.#attempt(endpoint, question);
        } catch (error) {
          failure = error;
          if (hasCode(error, 'SOURCE_REFUSES')) refusing.add(endpoint);
          else if (!isPassing(error)) throw error;
        }
        // What one refuses, another may serve; what two refuse, none will.
        if (refusing.size >= Math.min(2, this.#ranked().length)) throw failure;
      }
    }
    throw failure;
  }

  async #attempt<Value>(
    endpoint: EndpointHealth,
    { ask, slotOf }: Question<Value>,
  ): Promise<Value> {
    try {
      await this.#requireSameCluster(endpoint);
      const bestBefore = this.#best;
      const value = await ask(endpoint.reader);
      const slot = slotOf(value);
      if (slot !== undefined) this.#requireRecent(endpoint, slot, bestBefore);
      endpoint.noteSuccess();
      return value;
    } catch (error) {
      endpoint.noteFailure(error);
      throw error;
    }
  }

  /** By what was known when it was asked: a large answer is old by the time it is here. */
  #requireRecent(endpoint: EndpointHealth, slot: Slot, bestBefore: Slot | undefined): void {
    endpoint.noteSlot(slot);
    if (this.#best === undefined || slot > this.#best) this.#best = slot;
    if (bestBefore === undefined || !this.#lags(slot, bestBefore)) return;
    const minSlot = bestBefore - this.#options.maxLagSlots;
    throw new CodedError('SOURCE_LAGS', { source: endpoint.reader.name, slot, minSlot });
  }

  /** Endpoints of different clusters would mix two truths. The first that tells its cluster decides. */
  async #requireSameCluster(endpoint: EndpointHealth): Promise<void> {
    if (this.#endpoints.length === 1) return;
    endpoint.genesisHash ??= await genesisHashOf(endpoint.reader);
    if (endpoint.genesisHash === '') return;
    this.#genesisHash ??= endpoint.genesisHash;
    if (endpoint.genesisHash === this.#genesisHash) return;
    const source = endpoint.reader.name;
    if (!endpoint.isWrongCluster)
      this.#options.log.error({ source }, 'endpoint of another cluster');
    endpoint.isWrongCluster = true;
    throw new CodedError('SOURCE_REFUSES', { source, reason: 'it belongs to another cluster' });
  }

  /** Those that failed or are behind come last; then the quicker; then as they were listed. */
  #ranked(): readonly EndpointHealth[] {
    const rank = (endpoint: EndpointHealth) =>
      (endpoint.isInCooldown ? 10_000 : 0) +
      (this.#lags(endpoint.slot) ? 1_000 : 0) +
      endpoint.latencyRank;
    return this.#endpoints
      .filter(({ isWrongCluster }) => !isWrongCluster)
      .sort((a, b) => rank(a) - rank(b));
  }

  #lags(slot: Slot | undefined, best = this.#best): boolean {
    return (slotLag(best, slot) ?? 0n) > this.#options.maxLagSlots;
  }

  async #pauseBefore(round: number): Promise<void> {
    const { retryMs: firstMs, random } = this.#options;
    const backoff = backoffMs({ firstMs, maxMs: LONGEST_RETRY_MS, random }, round - 1);
    const asked = Math.min(...this.#endpoints.map(({ retryAfterMs }) => retryAfterMs));
    const ms = Math.min(LONGEST_RETRY_MS, Math.max(backoff, asked));
    await sleepUnlessAborted(ms, this.#closing.signal);
  }

  async #keepProbing(first: Promise<void>): Promise<void> {
    await first;
    while (!this.#closing.signal.aborted) {
      await sleepUnlessAborted(this.#options.probeMs, this.#closing.signal);
      if (!this.#closing.signal.aborted) await this.#probeAll();
    }
  }

  async #probeAll(): Promise<void> {
    await Promise.all(this.#endpoints.map((endpoint) => this.#probe(endpoint)));
  }

  async #probe(endpoint: EndpointHealth): Promise<void> {
    if (endpoint.isInCooldown || endpoint.isWrongCluster) return;
    const startedAt = this.#options.clock();
    try {
      await this.#attempt(endpoint, slotQuestion);
      endpoint.noteLatency(this.#options.clock() - startedAt);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
    }
  }

  #closed(): CodedError {
    return new CodedError('SOURCE_UNAVAILABLE', { source: this.name, reason: 'it was closed' });
  }
}

/** Whether the same request may succeed elsewhere or later. */
function isPassing(error: unknown): boolean {
  return hasCode(error, 'SOURCE_UNAVAILABLE') || hasCode(error, 'SOURCE_LAGS');
}

async function genesisHashOf(reader: ChainReader): Promise<string> {
  try {
    return await reader.getGenesisHash();
  } catch (error) {
    if (hasCode(error, 'SOURCE_REFUSES')) return '';
    throw error;
  }
}
