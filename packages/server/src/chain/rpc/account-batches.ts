import { type Address, type ClusterAccount, type Slot, toSlot } from '@tidegate/core/base';
import { isTooLarge } from './rpc-errors.ts';

export type AccountsResult = {
  readonly slot: Slot;
  readonly accounts: readonly (ClusterAccount | undefined)[];
};

type ReadBatch = (batch: readonly Address[]) => Promise<AccountsResult>;

/** Most addresses that a node accepts per request. Providers may accept fewer. */
const MAX_BATCH_SIZE = 100;
const CONCURRENT_BATCHES = 4;
const MAX_SLOT = toSlot(2n ** 64n - 1n);

/** Reads any number of accounts in batches. Batches that the endpoint finds too large are split, then and later. */
export class AccountBatches {
  #size = MAX_BATCH_SIZE;

  /** The slot is that of the oldest batch. */
  async read(addresses: readonly Address[], readBatch: ReadBatch): Promise<AccountsResult> {
    const results: AccountsResult[] = [];
    for (let start = 0; start < addresses.length; ) {
      const batches: Promise<AccountsResult>[] = [];
      while (batches.length < CONCURRENT_BATCHES && start < addresses.length) {
        batches.push(this.#readOrSplit(addresses.slice(start, start + this.#size), readBatch));
        start += this.#size;
      }
      results.push(...(await Promise.all(batches)));
    }
    return merge(results);
  }

  async #readOrSplit(batch: readonly Address[], readBatch: ReadBatch): Promise<AccountsResult> {
    try {
      return await readBatch(batch);
    } catch (error) {
      if (batch.length === 1 || !isTooLarge(error)) throw error;
      const half = Math.ceil(batch.length / 2);
      this.#size = Math.min(this.#size, half);
      return merge([
        await this.#readOrSplit(batch.slice(0, half), readBatch),
        await this.#readOrSplit(batch.slice(half), readBatch),
      ]);
    }
  }
}

function merge(results: readonly AccountsResult[]): AccountsResult {
  const slot = results.reduce(
    (oldest, each) => (each.slot < oldest ? each.slot : oldest),
    MAX_SLOT,
  );
  return { slot, accounts: results.flatMap(({ accounts }) => accounts) };
}
