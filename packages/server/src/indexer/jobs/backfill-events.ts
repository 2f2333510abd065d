import {
  type Address,
  CodedError,
  encodeBase58,
  formatError,
  hasCode,
  type Logger,
  type Slot,
  toSlot,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { backoffMs, sleepUnlessAborted } from '../../chain/endpoints/backoff.ts';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import type { ListedTransaction } from '../../chain/source/ledger-reader.ts';
import type { History } from '../../history/open-history.ts';
import { readCheckpoint } from '../../history/queries/checkpoints.ts';
import { createHistoryReader } from '../../history/queries/history-reader.ts';
import { readExistingSignatures } from '../../history/queries/transaction-signatures.ts';
import type { Checkpoint } from '../../history/writing/batch.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import { EVENTS_CHECKPOINT } from '../events/event-follower.ts';
import { decodeSignature } from '../events/event-rows.ts';
import type { OwnerIndex } from '../events/owner-index.ts';
import { readSignaturePages } from '../events/signature-pages.ts';
import { TransactionRecorder } from '../events/transaction-recorder.ts';

export type BackfillOptions = {
  readonly source: ChainSource;
  readonly history: Pick<History, 'db'>;
  readonly facts: OwnerIndex;
  /** Programs, or any accounts whose transactions are wanted. */
  readonly addresses: readonly Address[];
  /** Whether these are all whose events are kept, so that nothing is missing after it. */
  readonly isOfAll?: boolean;
  /** What is older stays unknown. */
  readonly until: UnixSeconds;
  readonly random: () => number;
  readonly log: Logger;
  readonly onProgress?: (progress: BackfillProgress) => void;
  /** It ends where it is, and goes on from there another time. */
  readonly signal: AbortSignal;
  /** First pause after a failure; it doubles. */
  readonly retryMs?: number;
};

export type BackfillProgress = {
  readonly address: Address;
  /** Which of them it is. */
  readonly number: number;
  readonly addresses: number;
  /** How far it has come between now and the bound, of a thousand. */
  readonly permille: number;
  readonly transactions: number;
  readonly events: number;
};

export type BackfillReport = {
  /** With events that were not known before. */
  readonly transactions: number;
  readonly events: number;
  /** Listed by the node, which does not tell of them. */
  readonly missing: number;
  readonly undecoded: number;
};

/** What of an address is known without a gap. */
type Covered = { readonly newest: Slot; readonly oldest: Slot };

const AT_ONCE = 100;
const LONGEST_RETRY_MS = 30_000;
const NEVER = toSlot(-1n);

const olderName = (address: Address): string => `backfill:${address}`;
const newerName = (address: Address): string => `backfill-newest:${address}`;

/** Brings the events of the past into history: from the newest that is not known back to the bound. */
export async function backfillEvents(options: BackfillOptions): Promise<BackfillReport> {
  return await new Backfill(options).run();
}

class Backfill {
  readonly #options: BackfillOptions;
  readonly #writer: HistoryWriter;
  readonly #recorder: TransactionRecorder;
  #transactions = 0;
  #events = 0;
  #missing = 0;

  constructor(options: BackfillOptions) {
    const { source, history, facts, log } = options;
    this.#options = options;
    this.#writer = new HistoryWriter(history.db);
    const reader = createHistoryReader(history.db);
    this.#recorder = new TransactionRecorder({ source, writer: this.#writer, reader, facts, log });
  }

  async run(): Promise<BackfillReport> {
    const { addresses, signal } = this.#options;
    for (const [index, address] of addresses.entries()) {
      await this.#persistently(() => this.#bring(address, index));
      if (signal.aborted) break;
    }
    if (!signal.aborted && this.#missing === 0 && this.#options.isOfAll === true) {
      await this.#writer.closeGaps(EVENTS_CHECKPOINT, this.#options.until);
    }
    const [transactions, events, missing] = [this.#transactions, this.#events, this.#missing];
    return { transactions, events, missing, undecoded: this.#recorder.undecoded };
  }

  /** An endpoint that is busy or away is asked again, later and later; what is kept so far is kept. */
  async #persistently(work: () => Promise<void>): Promise<void> {
    const { signal, random, log, retryMs: firstMs = 500 } = this.#options;
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        await work();
        return;
      } catch (error) {
        if (!hasCode(error, 'SOURCE_UNAVAILABLE') && !hasCode(error, 'SOURCE_LAGS')) throw error;
        log.warn({ error: formatError(error) }, 'the past cannot be fetched now');
        const asked = hasCode(error, 'SOURCE_UNAVAILABLE') ? error.context.retryAfterMs : 0;
        const backoff = backoffMs({ firstMs, longestMs: LONGEST_RETRY_MS, random }, failures);
        await sleepUnlessAborted(Math.max(backoff, asked ?? 0), signal);
      }
    }
  }

  /** First what came since it was last here, then what is older than where it ended. */
  async #bring(address: Address, index: number): Promise<void> {
    const covered = await this.#coveredOf(address);
    const [newest] = await this.#options.source.ledger.signatures({ address, limit: 1 });
    if (newest === undefined) return;
    const from = newest.at ?? this.#options.until;
    const tell = (at: UnixSeconds | undefined) => this.#tell(address, index, { from, at });
    const top = { name: newerName(address), towards: 'newer', ...timeOf(newest, from) } as const;
    if (covered === undefined) {
      await this.#writer.append({ checkpoint: olderCheckpoint(address, newest, from) });
      await this.#writer.append({ checkpoint: top });
      await this.#walk({ address, tell, from, isOldest: true });
    } else {
      await this.#walk({ address, tell, from, downTo: covered.newest, isOldest: false });
      if (this.#options.signal.aborted) return;
      await this.#writer.append({ checkpoint: top });
      const before = await this.#signatureIn(covered.oldest);
      await this.#walk({ address, tell, from, isOldest: true, ...(before && { before }) });
    }
    if (!this.#options.signal.aborted) tell(this.#options.until);
  }

  async #coveredOf(address: Address): Promise<Covered | undefined> {
    const { db } = this.#options.history;
    const older = await readCheckpoint(db, olderName(address));
    const newer = await readCheckpoint(db, newerName(address));
    return older && newer && { newest: newer.slot, oldest: older.slot };
  }

  /** From which a list can go on: the last one of the block. Without it, it is listed from the newest again. */
  async #signatureIn(slot: Slot): Promise<string | undefined> {
    return (await this.#options.source.ledger.blockSignatures(slot))?.at(-1);
  }

  async #walk(way: Way): Promise<void> {
    const { source, until, signal } = this.#options;
    const { address, before, downTo = NEVER, isOldest, from } = way;
    const walk = { address, ...(before !== undefined && { before }) };
    for await (const page of readSignaturePages(source.ledger, walk)) {
      const wanted = page.filter(({ slot, at }) => slot >= downTo && (at ?? from) >= until);
      const unknown = await this.#unknown(wanted);
      for (let start = 0; start < unknown.length; start += AT_ONCE) {
        if (signal.aborted) return;
        await this.#record(unknown.slice(start, start + AT_ONCE));
        way.tell(unknown[start]?.at);
      }
      const last = wanted.at(-1);
      if (isOldest && last !== undefined) {
        await this.#writer.append({ checkpoint: olderCheckpoint(address, last, from) });
      }
      if (signal.aborted || wanted.length < page.length) return;
    }
  }

  async #record(some: readonly ListedTransaction[]): Promise<void> {
    const { transactions, events, missing } = await this.#recorder.record(some);
    this.#transactions += transactions;
    this.#events += events;
    this.#missing += missing.length;
  }

  async #unknown(wanted: readonly ListedTransaction[]): Promise<ListedTransaction[]> {
    const listed = wanted.filter(({ failed }) => !failed);
    const signatures = listed.map(({ signature }) => decodeSignature(signature));
    const kept = await readExistingSignatures(this.#options.history.db, signatures);
    const known = new Set(kept.map(({ signature }) => encodeBase58(signature)));
    return listed.filter(({ signature }) => !known.has(signature));
  }

  #tell(address: Address, index: number, { from, at = from }: Reached): void {
    const { onProgress, addresses, until } = this.#options;
    const [whole, done] = [from - until, from - at];
    onProgress?.({
      ...{ address, number: index + 1, addresses: addresses.length },
      permille: whole <= 0n ? 1_000 : Number((done * 1_000n) / whole),
      ...{ transactions: this.#transactions, events: this.#events },
    });
  }
}

type Reached = { readonly from: UnixSeconds; readonly at: UnixSeconds | undefined };

type Way = {
  readonly address: Address;
  /** The time of the newest. */
  readonly from: UnixSeconds;
  readonly before?: string;
  /** The slot at which what is known begins. */
  readonly downTo?: Slot;
  /** Whether it widens what is known towards the past. */
  readonly isOldest: boolean;
  readonly tell: (at: UnixSeconds | undefined) => void;
};

const timeOf = ({ slot, at }: ListedTransaction, otherwise: UnixSeconds) => ({
  slot,
  at: at ?? otherwise,
});

const olderCheckpoint = (
  address: Address,
  listed: ListedTransaction,
  otherwise: UnixSeconds,
): Checkpoint => ({
  name: olderName(address),
  towards: 'older',
  ...timeOf(listed, otherwise),
});

/** The bound that a person names: a time, or days before now. */
export function parseBackfillStart(
  { until, days }: { readonly until?: string | undefined; readonly days?: string | undefined },
  nowMs: number,
): UnixSeconds {
  if (until !== undefined && days !== undefined) {
    throw new CodedError('INVALID_USAGE', { reason: 'Give --until or --days, not both.' });
  }
  if (until !== undefined) return toUnixSeconds(BigInt(Math.floor(timeOfText(until) / 1000)));
  const count = Number(days ?? '30');
  if (!/^\d+$/.test(days ?? '30') || count < 1 || count > 36_500) {
    const accepts = 'a whole number of days, 1 or more';
    throw new CodedError('INVALID_SETTING', { name: '--days', value: days ?? '', accepts });
  }
  return toUnixSeconds(BigInt(Math.floor(nowMs / 1000) - count * 86_400));
}

function timeOfText(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  const accepts = 'a time such as 2025-01-31 or 2025-01-31T12:00:00Z';
  throw new CodedError('INVALID_SETTING', { name: '--until', value: text, accepts });
}
