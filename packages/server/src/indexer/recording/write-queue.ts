import { formatError, type Logger } from '@tidegate/core/base';
import type { Batch } from '../../history/writing/batch.ts';
import type { HistoryWriter } from '../../history/writing/history-writer.ts';

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 30_000;

/** More than so many waiting batches: whoever makes them is to wait with more. */
const MANY = 500;

type WriteQueueOptions = {
  readonly writer: Pick<HistoryWriter, 'append'>;
  readonly log: Logger;
  readonly retryMs?: number;
};

/** Batches are written one after the other, each until it is: a database that fails for a while loses nothing. */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  readonly #waiting: Batch[] = [];
  #running: Promise<void> | undefined;
  #isStopped = false;
  #wake: (() => void) | undefined;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#waiting.length >= MANY;
  }

  push(batch: Batch): void {
    this.#waiting.push(batch);
    this.#running ??= this.#run();
  }

  /** Resolves when everything is written, or, after a failure, when it was tried once more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    let retryMs = this.#options.retryMs ?? FIRST_RETRY_MS;
    for (let batch = this.#waiting[0]; batch !== undefined; batch = this.#waiting[0]) {
      try {
        await this.#options.writer.append(batch);
        this.#waiting.shift();
        retryMs = this.#options.retryMs ?? FIRST_RETRY_MS;
      } catch (error) {
        const facts = { reason: formatError(error), waiting: this.#waiting.length, retryMs };
        this.#options.log.warn(facts, 'history could not be written; it is tried again');
        if (this.#isStopped) break;
        await this.#pause(retryMs);
        retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      }
    }
    this.#running = undefined;
  }

  async #pause(ms: number): Promise<void> {
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
