import {
  type Address,
  type ChainTime,
  DAY_SECONDS,
  formatError,
  type Logger,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { trailingWindows, windowStart } from '@tidegate/core/views/vaults';
import { sleepUnlessAborted } from '../../chain/retry.ts';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import type { ListedTransaction } from '../../chain/source/ledger-reader.ts';
import { isTemporaryOutage, MAX_OUTAGE_RETRY_MS } from '../../history/health/database-problem.ts';
import type { History } from '../../history/open-history.ts';
import { MAX_DEPOSIT_AGE, readDepositRates } from '../../history/queries/deposit-rates.ts';
import { readSamplesBegin } from '../../history/queries/event-coverage.ts';
import { createHistoryReader, type HistoryReader } from '../../history/queries/history-reader.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import type { OwnerIndex } from '../events/owner-index.ts';
import { readSignaturePages } from '../events/signature-pages.ts';
import { TransactionRecorder } from '../events/transaction-recorder.ts';

export type VaultPriceLoaderOptions = {
  readonly source: ChainSource;
  readonly history: Pick<History, 'db'>;
  readonly ownerIndex: OwnerIndex;
  readonly state: Pick<ClusterReader, 'at' | 'vaults'>;
  readonly log: Logger;
  /** Called after deposits of a vault were stored. */
  readonly onLoaded: () => void;
  /** Pause between requests for transactions. */
  readonly pauseMs?: number;
};

/** Transactions that are tried for one time: not every transaction of a vault is a deposit. */
const MAX_CANDIDATES = 20;
const BATCH = 5;
/** A vault with more transactions in a year is known only as far back as this many lists reach. */
const MAX_LISTS = 200;

const DAYS = 365n;
const START_POLL_MS = 500;

/**
 * Loads deposits from before the instance began to record. A deposit contains the share price of its time, so that
 * trailing rates exist from the first minutes on. First the deposits at the starts of the trailing windows, then one a
 * day, which the windows of the next days start with.
 */
export class VaultPriceLoader {
  readonly #options: Required<VaultPriceLoaderOptions>;
  readonly #reader: HistoryReader;
  readonly #recorder: TransactionRecorder;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: VaultPriceLoaderOptions) {
    const { source, history, ownerIndex, log } = options;
    this.#options = { pauseMs: 100, ...options };
    const reader = createHistoryReader(history.db);
    this.#reader = reader;
    const writer = new HistoryWriter(history.db);
    this.#recorder = new TransactionRecorder({ source, writer, reader, ownerIndex, log });
  }

  /** Call it when state is loaded. */
  start(): void {
    this.#running ??= this.#runWhenAvailable().catch((error: unknown) => {
      this.#options.log.warn(
        { reason: formatError(error) },
        'earlier share prices were not loaded',
      );
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Begins again after an outage of the database: what is stored is not loaded twice. */
  async #runWhenAvailable(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#run();
        return;
      } catch (error) {
        if (!isTemporaryOutage(error)) throw error;
      }
      await sleepUnlessAborted(MAX_OUTAGE_RETRY_MS, signal);
    }
  }

  async #run(): Promise<void> {
    const since = await this.#readStart();
    if (since === undefined || since.slot === 0n) return;
    const { state } = this.#options;
    const { unix: now } = state.at();
    const before = (times: readonly UnixSeconds[]) => times.filter((at) => at < since.unix);
    const windows = before(trailingWindows.map((window) => windowStart(window, now)));
    for (const { address, fields } of state.vaults()) {
      const isOlder = (at: UnixSeconds) => at > fields.creationTimestamp;
      await this.#loadVault(address, windows.filter(isOlder));
    }
    const days = before(dailyTimes(now));
    for (const { address, fields } of state.vaults()) {
      const isOlder = (at: UnixSeconds) => at > fields.creationTimestamp;
      await this.#loadVault(address, days.filter(isOlder));
    }
  }

  /** Waits until the first sample is stored. */
  async #readStart(): Promise<ChainTime | undefined> {
    const { signal } = this.#stopping;
    let since = await readSamplesBegin(this.#reader);
    while (since === undefined && !signal.aborted) {
      await sleepUnlessAborted(START_POLL_MS, signal);
      since = await readSamplesBegin(this.#reader);
    }
    return since;
  }

  /** `times`: those whose price is to be known, oldest first or last. */
  async #loadVault(vault: Address, times: readonly UnixSeconds[]): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const missing = await this.#selectMissing(vault, times);
    const oldest = missing.reduce((a, b) => (b < a ? b : a), toUnixSeconds(2n ** 62n));
    if (missing.length === 0) return;
    const listed = await this.#list(vault, toUnixSeconds(oldest - MAX_DEPOSIT_AGE));
    let stored = 0;
    for (const time of missing) stored += await this.#loadTime(vault, time, listed);
    if (stored > 0) this.#options.onLoaded();
  }

  async #selectMissing(
    vault: Address,
    times: readonly UnixSeconds[],
  ): Promise<readonly UnixSeconds[]> {
    const missing: UnixSeconds[] = [];
    for (const to of times) if (!(await this.#isKnown(vault, to))) missing.push(to);
    return missing;
  }

  async #isKnown(vault: Address, to: UnixSeconds): Promise<boolean> {
    const from = toUnixSeconds(to - MAX_DEPOSIT_AGE);
    return (await readDepositRates(this.#reader, [vault], { from, to })).length > 0;
  }

  /** Successful transactions of the vault since `oldest`, newest first. */
  async #list(vault: Address, oldest: UnixSeconds): Promise<readonly ListedTransaction[]> {
    const listed: ListedTransaction[] = [];
    let lists = 0;
    for await (const page of readSignaturePages(this.#options.source.ledger, { address: vault })) {
      listed.push(...page.filter(({ failed }) => !failed));
      lists += 1;
      const last = page.at(-1)?.at;
      if (this.#stopping.signal.aborted || lists === MAX_LISTS) break;
      if (last !== undefined && last < oldest) break;
      await this.#pause();
    }
    return listed;
  }

  /** Tries the transactions before the time until one is a deposit. */
  async #loadTime(
    vault: Address,
    time: UnixSeconds,
    listed: readonly ListedTransaction[],
  ): Promise<number> {
    const from = toUnixSeconds(time - MAX_DEPOSIT_AGE);
    const candidates = listed
      .filter(({ at }) => at !== undefined && at <= time && at >= from)
      .slice(0, MAX_CANDIDATES);
    let stored = 0;
    for (let start = 0; start < candidates.length; start += BATCH) {
      if (this.#stopping.signal.aborted || (await this.#isKnown(vault, time))) break;
      stored += (await this.#recorder.record(candidates.slice(start, start + BATCH))).events;
      await this.#pause();
    }
    return stored;
  }

  #pause(): Promise<void> {
    return sleepUnlessAborted(this.#options.pauseMs, this.#stopping.signal);
  }
}

/** Newest first. */
const dailyTimes = (now: UnixSeconds): readonly UnixSeconds[] =>
  Array.from({ length: Number(DAYS) }, (_, day) =>
    toUnixSeconds(now - BigInt(day + 1) * DAY_SECONDS),
  );
