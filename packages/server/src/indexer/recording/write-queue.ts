import { formatError, type Logger } from '@tidegate/core/base';
import { retry } from '../../chain/retry.ts';
import { hasCode } from '../../errors.ts';
import { MAX_OUTAGE_RETRY_MS } from '../../history/health/database-problem.ts';
import type { Batch } from '../../history/writing/batch.ts';
import type { HistoryWriter } from '../../history/writing/history-writer.ts';

const DEFAULT_RETRY_MS = 250;

/** The queue is full at this many batches. */
const MAX_BATCHES = 500;

type WriteQueueOptions = {
  readonly writer: Pick<HistoryWriter, 'append'>;
  readonly random: () => number;
  readonly log: Logger;
  readonly retryMs?: number;
  /** Called after each write. */
  readonly onWritten?: () => void;
};

type Write = () => Promise<void>;

/** Writes batches in order and retries each until it succeeds, so that a database outage loses nothing. */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  readonly #writes: Write[] = [];
  #running: Promise<void> | undefined;
  #isStopped = false;
  #wake: (() => void) | undefined;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#writes.length >= MAX_BATCHES;
  }

  /** Batches that are not written yet. */
  get waiting(): number {
    return this.#writes.length;
  }

  push(batch: Batch): void {
    this.enqueue(() => this.#options.writer.append(batch));
  }

  /** Runs a task after all batches that were pushed before, and retries it as a batch. */
  enqueue(write: Write): void {
    this.#writes.push(write);
    this.#running ??= this.#run();
  }

  /** Resolves when everything is written. If a write is failing, it is tried once more, and the rest is dropped. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      for (let write = this.#writes[0]; write !== undefined; write = this.#writes[0]) {
        await this.#write(write);
        this.#writes.shift();
        this.#options.onWritten?.();
      }
    } catch (error) {
      const batches = this.#writes.length;
      this.#options.log.warn({ reason: formatError(error), batches }, 'history was not written');
    }
    this.#running = undefined;
  }

  async #write(write: Write): Promise<void> {
    const { random, log, retryMs: firstMs = DEFAULT_RETRY_MS } = this.#options;
    let failures = 0;
    await retry(write, {
      firstMs,
      maxMs: MAX_OUTAGE_RETRY_MS,
      random,
      shouldRetry: () => !this.#isStopped,
      onRetry: (error, retryMs) => {
        if (hasCode(error, 'HISTORY_UNAVAILABLE')) return;
        failures += 1;
        if (failures > 1) return;
        const details = { reason: formatError(error), waiting: this.#writes.length, retryMs };
        log.warn(details, 'history was not written, retrying');
      },
      sleep: (ms) => this.#sleep(ms),
    });
    if (failures === 0) return;
    log.info({ failures, waiting: this.#writes.length }, 'history is written again');
  }

  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}
