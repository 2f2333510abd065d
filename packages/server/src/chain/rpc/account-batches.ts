import { type Address, type ClusterAccount, type Slot, toSlot } from '@tidegate/core/base';

export type AccountsResult = {
  readonly slot: Slot;
  readonly accounts: readonly (ClusterAccount | undefined)[];
};

/** Most addresses that a node accepts per request. */
const BATCH_SIZE = 100;
const CONCURRENT_BATCHES = 4;
const MAX_SLOT = toSlot(2n ** 64n - 1n);

/** Reads any number of accounts in batches. The slot is that of the oldest batch. */
export async function readInBatches(
  addresses: readonly Address[],
  readBatch: (batch: readonly Address[]) => Promise<AccountsResult>,
): Promise<AccountsResult> {
  const results: AccountsResult[] = [];
  for (let start = 0; start < addresses.length; start += BATCH_SIZE * CONCURRENT_BATCHES) {
    const batches: Promise<AccountsResult>[] = [];
    for (let batch = 0; batch < CONCURRENT_BATCHES; batch++) {
      const from = start + batch * BATCH_SIZE;
      if (from >= addresses.length) break;
      batches.push(readBatch(addresses.slice(from, from + BATCH_SIZE)));
    }
    results.push(...(await Promise.all(batches)));
  }
  const slot = results.reduce(
    (oldest, each) => (each.slot < oldest ? each.slot : oldest),
    MAX_SLOT,
  );
  return { slot, accounts: results.flatMap(({ accounts }) => accounts) };
}
