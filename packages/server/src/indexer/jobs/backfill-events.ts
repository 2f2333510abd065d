import {
  type Address,
  encodeBase58,
  formatError,
  type Logger,
  type Slot,
  toSlot,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { retry, sleepUnlessAborted } from '../../chain/retry.ts';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import { hasWholeLedger, type ListedTransaction } from '../../chain/source/ledger-reader.ts';
import { CodedError, hasCode } from '../../errors.ts';
import {
  EVENTS_CHECKPOINT,
  EVENTS_SINCE_CHECKPOINT,
  newestBackfillCheckpoint,
  oldestBackfillCheckpoint,
} from '../../history/checkpoint-names.ts';
import { isTemporaryOutage } from '../../history/health/database-problem.ts';
import type { History } from '../../history/open-history.ts';
import { readCheckpoint } from '../../history/queries/checkpoints.ts';
import { createHistoryReader } from '../../history/queries/history-reader.ts';
import { readExistingSignatures } from '../../history/queries/transaction-signatures.ts';
import type { Checkpoint } from '../../history/writing/batch.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import { decodeSignature } from '../events/event-rows.ts';
import type { OwnerIndex } from '../events/owner-index.ts';
import { readSignaturePages } from '../events/signature-pages.ts';
import { TransactionRecorder } from '../events/transaction-recorder.ts';

export type BackfillOptions = {
  readonly source: ChainSource;
  readonly history: Pick<History, 'db'>;
  readonly ownerIndex: OwnerIndex;
  /** Programs, or other accounts whose transactions are to be loaded. */
  readonly addresses: readonly Address[];
  /** Whether `addresses` are all recorded programs, so that no gap remains afterwards. */
  readonly isAllPrograms?: boolean;
  /** Older transactions are not loaded. */
  readonly oldest: UnixSeconds;
  readonly random: () => number;
  readonly log: Logger;
  readonly onProgress?: (progress: BackfillProgress) => void;
  /** Aborts the backfill. The next one continues from there. */
  readonly signal: AbortSignal;
  /** First pause after a failure; it doubles. */
  readonly retryMs?: number;
};

export type BackfillProgress = {
  readonly address: Address;
  /** Position of the address in the list, from 1. */
  readonly addressNumber: number;
  readonly addressCount: number;
  /** Progress from now back to `oldest`, in thousandths. */
  readonly permille: number;
  readonly transactions: number;
  readonly events: number;
};

export type BackfillReport = {
  /** Added transactions. */
  readonly transactions: number;
  readonly events: number;
  /** Transactions that the node lists but does not return. */
  readonly missing: number;
  readonly undecodable: number;
};

/** The slots of an address that are covered without a gap. */
type CoveredSlots = { readonly newest: Slot; readonly oldest: Slot };

const BATCH_SIZE = 100;
const BEFORE_GENESIS = toSlot(-1n);

/** Loads past events into history, from the newest unknown one back to the oldest time. */
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
  /** Whether transactions older than `oldest` were left out. */
  #reachedOldest = false;

  constructor(options: BackfillOptions) {
    const { source, history, ownerIndex, log } = options;
    const writer = new HistoryWriter(history.db);
    const reader = createHistoryReader(history.db);
    this.#options = options;
    this.#writer = writer;
    this.#recorder = new TransactionRecorder({ source, writer, reader, ownerIndex, log });
  }

  async run(): Promise<BackfillReport> {
    const { addresses, signal } = this.#options;
    for (const [index, address] of addresses.entries()) {
      await this.#withRetries(() => this.#backfillAddress(address, index));
      if (signal.aborted) break;
    }
    if (!signal.aborted && this.#missing === 0 && this.#options.isAllPrograms === true) {
      await this.#withRetries(async () => {
        await this.#writer.deleteGaps(EVENTS_CHECKPOINT, this.#options.oldest);
        await this.#extendRecordedTime();
      });
    }
    const [transactions, events, missing] = [this.#transactions, this.#events, this.#missing];
    return { transactions, events, missing, undecodable: this.#recorder.undecodableCount };
  }

  /** All events since `oldest` are recorded now, or since the first one if the node has the whole ledger. */
  async #extendRecordedTime(): Promise<void> {
    const { addresses, history, oldest: at, source } = this.#options;
    const name = EVENTS_SINCE_CHECKPOINT;
    const covered = await Promise.all(
      addresses.map((address) => readCheckpoint(history.db, oldestBackfillCheckpoint(address))),
    );
    const slots = covered.flatMap((each) => (each === undefined ? [] : [each.slot]));
    const first = slots.reduce((a, b) => (b < a ? b : a), toSlot(2n ** 62n));
    const isWhole = !this.#reachedOldest && (await hasWholeLedger(source.ledger));
    const slot = isWhole ? toSlot(0n) : first;
    await this.#writer.append({ checkpoint: { name, direction: 'older', slot, at } });
  }

  async #withRetries(work: () => Promise<void>): Promise<void> {
    const { signal, random, log, retryMs: firstMs = 500 } = this.#options;
    const attempt = async () => {
      if (!signal.aborted) await work();
    };
    await retry(attempt, {
      firstMs,
      random,
      shouldRetry: (error) =>
        hasCode(error, 'SOURCE_UNAVAILABLE') ||
        hasCode(error, 'SOURCE_LAGS') ||
        isTemporaryOutage(error),
      minPauseMs: (error) =>
        hasCode(error, 'SOURCE_UNAVAILABLE') ? (error.context.retryAfterMs ?? 0) : 0,
      onRetry: (error) => {
        if (isTemporaryOutage(error)) return;
        log.warn({ error: formatError(error) }, 'backfill failed, retrying');
      },
      sleep: (ms) => sleepUnlessAborted(ms, signal),
    });
  }

  /** Loads what is newer than the covered slots first, then what is older. */
  async #backfillAddress(address: Address, index: number): Promise<void> {
    const covered = await this.#readCoveredSlots(address);
    const [newest] = await this.#options.source.ledger.listSignatures({ address, limit: 1 });
    if (newest === undefined) return;
    const newestAt = newest.at ?? this.#options.oldest;
    const report = (at: UnixSeconds | undefined) => this.#report(address, index, { newestAt, at });
    const newestCheckpoint: Checkpoint = {
      name: newestBackfillCheckpoint(address),
      direction: 'newer',
      ...timeOf(newest, newestAt),
    };
    if (covered === undefined) {
      await this.#writer.append({ checkpoint: oldestCheckpoint(address, newest, newestAt) });
      await this.#writer.append({ checkpoint: newestCheckpoint });
      await this.#loadRange({ address, report, newestAt, extendsOldest: true });
    } else {
      const downTo = covered.newest;
      await this.#loadRange({ address, report, newestAt, downTo, extendsOldest: false });
      if (this.#options.signal.aborted) return;
      await this.#writer.append({ checkpoint: newestCheckpoint });
      const before = await this.#findSignature(covered.oldest);
      const range = { address, report, newestAt, extendsOldest: true };
      await this.#loadRange({ ...range, ...(before && { before }) });
    }
    if (!this.#options.signal.aborted) report(this.#options.oldest);
  }

  async #readCoveredSlots(address: Address): Promise<CoveredSlots | undefined> {
    const { db } = this.#options.history;
    const oldest = await readCheckpoint(db, oldestBackfillCheckpoint(address));
    const newest = await readCheckpoint(db, newestBackfillCheckpoint(address));
    return oldest && newest && { newest: newest.slot, oldest: oldest.slot };
  }

  /** The last signature of a block, to continue a list from; undefined makes the list start at the newest again. */
  async #findSignature(slot: Slot): Promise<string | undefined> {
    return (await this.#options.source.ledger.getBlockSignatures(slot))?.at(-1);
  }

  async #loadRange(range: BackfillRange): Promise<void> {
    const { source, oldest, signal } = this.#options;
    const { address, before, downTo = BEFORE_GENESIS, extendsOldest, newestAt } = range;
    const query = { address, ...(before !== undefined && { before }) };
    for await (const page of readSignaturePages(source.ledger, query)) {
      const inRange = page.filter(({ slot, at }) => slot >= downTo && (at ?? newestAt) >= oldest);
      const unstored = await this.#selectUnstored(inRange);
      for (let start = 0; start < unstored.length; start += BATCH_SIZE) {
        if (signal.aborted) return;
        await this.#record(unstored.slice(start, start + BATCH_SIZE));
        range.report(unstored[start]?.at);
      }
      const last = inRange.at(-1);
      if (extendsOldest && last !== undefined) {
        await this.#writer.append({ checkpoint: oldestCheckpoint(address, last, newestAt) });
      }
      if (inRange.length < page.length && extendsOldest) this.#reachedOldest = true;
      if (signal.aborted || inRange.length < page.length) return;
    }
  }

  async #record(batch: readonly ListedTransaction[]): Promise<void> {
    const { transactions, events, missing } = await this.#recorder.record(batch);
    this.#transactions += transactions;
    this.#events += events;
    this.#missing += missing.length;
  }

  async #selectUnstored(listed: readonly ListedTransaction[]): Promise<ListedTransaction[]> {
    const succeeded = listed.filter(({ failed }) => !failed);
    const signatures = succeeded.map(({ signature }) => decodeSignature(signature));
    const stored = await readExistingSignatures(this.#options.history.db, signatures);
    const known = new Set(stored.map(({ signature }) => encodeBase58(signature)));
    return succeeded.filter(({ signature }) => !known.has(signature));
  }

  #report(address: Address, index: number, { newestAt, at = newestAt }: LoadedTime): void {
    const { onProgress, addresses, oldest } = this.#options;
    const [total, done] = [newestAt - oldest, newestAt - at];
    onProgress?.({
      address,
      addressNumber: index + 1,
      addressCount: addresses.length,
      permille: total <= 0n ? 1_000 : Number((done * 1_000n) / total),
      transactions: this.#transactions,
      events: this.#events,
    });
  }
}

type LoadedTime = { readonly newestAt: UnixSeconds; readonly at: UnixSeconds | undefined };

type BackfillRange = {
  readonly address: Address;
  /** Time of the address's newest transaction. */
  readonly newestAt: UnixSeconds;
  readonly before?: string;
  /** The first covered slot. */
  readonly downTo?: Slot;
  /** Whether the range extends the covered slots at their old end. */
  readonly extendsOldest: boolean;
  readonly report: (at: UnixSeconds | undefined) => void;
};

const timeOf = ({ slot, at }: ListedTransaction, fallback: UnixSeconds) => ({
  slot,
  at: at ?? fallback,
});

const oldestCheckpoint = (
  address: Address,
  listed: ListedTransaction,
  fallback: UnixSeconds,
): Checkpoint => ({
  name: oldestBackfillCheckpoint(address),
  direction: 'older',
  ...timeOf(listed, fallback),
});

/** Parses the `--until` or `--days` option. */
export function parseBackfillStart(
  { until, days }: { readonly until?: string | undefined; readonly days?: string | undefined },
  nowMs: number,
): UnixSeconds {
  if (until !== undefined && days !== undefined) {
    throw new CodedError('INVALID_USAGE', { reason: 'Give --until or --days, not both.' });
  }
  if (until !== undefined) return toUnixSeconds(BigInt(Math.floor(parseTime(until) / 1000)));
  const count = Number(days ?? '30');
  if (!/^\d+$/.test(days ?? '30') || count < 1 || count > 36_500) {
    const accepts = 'a whole number of days, 1 or more';
    throw new CodedError('INVALID_SETTING', { name: '--days', value: days ?? '', accepts });
  }
  return toUnixSeconds(BigInt(Math.floor(nowMs / 1000) - count * 86_400));
}

function parseTime(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  const accepts = 'a time such as 2025-01-31 or 2025-01-31T12:00:00Z';
  throw new CodedError('INVALID_SETTING', { name: '--until', value: text, accepts });
}
