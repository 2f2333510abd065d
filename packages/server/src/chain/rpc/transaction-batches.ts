import { hasCode } from '../../errors.ts';
import { isTooLarge } from './rpc-errors.ts';

type ReadTransactions = {
  /** One request; throws SOURCE_REFUSES if the endpoint accepts no batches. */
  readonly readBatch: (signatures: readonly string[]) => Promise<readonly unknown[]>;
  readonly readOne: (signature: string) => Promise<unknown>;
};

/** Most calls per batch. Providers accept up to 100, many fewer. */
const MAX_BATCH_SIZE = 20;
const CONCURRENT_BATCHES = 2;
/** Concurrent requests to an endpoint that accepts no batches. */
const CONCURRENT_CALLS = 8;

/**
 * Reads transactions in batches. A batch that the endpoint finds too large, or that exceeds its rate limit, is halved, then
 * and later. An endpoint that accepts no batches gets single calls.
 */
export class TransactionBatches {
  #size = MAX_BATCH_SIZE;

  /** In the order of the signatures. */
  async read(signatures: readonly string[], read: ReadTransactions): Promise<readonly unknown[]> {
    const results: unknown[] = [];
    let next = 0;
    const worker = async () => {
      while (next < signatures.length) {
        const start = next;
        const batch = signatures.slice(start, start + this.#size);
        next += batch.length;
        const found = await this.#readOrSplit(batch, read);
        for (const [index, each] of found.entries()) results[start + index] = each;
      }
    };
    const workers = this.#size > 1 ? CONCURRENT_BATCHES : CONCURRENT_CALLS;
    await Promise.all(Array.from({ length: workers }, worker));
    return results;
  }

  async #readOrSplit(
    batch: readonly string[],
    read: ReadTransactions,
  ): Promise<readonly unknown[]> {
    const [first] = batch;
    if (first === undefined) return [];
    if (batch.length === 1) return [await read.readOne(first)];
    const half = Math.ceil(batch.length / 2);
    try {
      return await read.readBatch(batch);
    } catch (error) {
      if (isRateLimit(error)) this.#size = Math.min(this.#size, half);
      if (!hasCode(error, 'SOURCE_REFUSES')) throw error;
      this.#size = isTooLarge(error) ? Math.min(this.#size, half) : 1;
      return [
        ...(await this.#readParts(batch.slice(0, half), read)),
        ...(await this.#readParts(batch.slice(half), read)),
      ];
    }
  }

  /** In batches of the size that is accepted now. */
  async #readParts(part: readonly string[], read: ReadTransactions): Promise<readonly unknown[]> {
    const results: unknown[] = [];
    for (let start = 0; start < part.length; ) {
      const batch = part.slice(start, start + this.#size);
      results.push(...(await this.#readOrSplit(batch, read)));
      start += batch.length;
    }
    return results;
  }
}

const isRateLimit = (error: unknown): boolean =>
  hasCode(error, 'SOURCE_UNAVAILABLE') && error.context.retryAfterMs !== undefined;
