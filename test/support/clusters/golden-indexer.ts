import { expect } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { createIndexer, type Indexer } from '#server/indexer/follow/indexer.ts';
import type { IndexerOptions } from '#server/indexer/follow/indexer-options.ts';
import { FakeSource } from '../fakes/fake-source.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { goldenCluster } from '../golden/golden.ts';

const FAST_TIMING = {
  retryMs: 1,
  tickMs: 2,
  waitMs: 60_000,
  freshMs: 60_000,
  rescanObligationsMs: 600_000,
  rescanOthersMs: 600_000,
};

export type GoldenIndexer = {
  readonly source: FakeSource;
  readonly state: ClusterState;
  readonly indexer: Indexer;
};

/** An indexer over the golden cluster, not started. */
export function createGoldenIndexer(options: Partial<IndexerOptions> = {}): GoldenIndexer {
  const { at, accounts } = goldenCluster();
  const source = new FakeSource(at, accounts);
  const state = new ClusterState({ log: silentLog });
  const indexer = createIndexer({
    source,
    state,
    mode: 'all',
    clock: () => performance.now(),
    random: () => 1,
    log: silentLog,
    ...options,
    timing: { ...FAST_TIMING, ...options.timing },
  });
  return { source, state, indexer };
}

/** Closes slots until the promise is settled. */
export async function advanceSlotsWhile<Value>(
  source: FakeSource,
  promise: Promise<Value>,
): Promise<Value> {
  const timer = setInterval(() => source.advanceSlot(), 1);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
  }
}

/** Closes slots until the condition holds. */
export async function advanceSlotsUntil(
  source: FakeSource,
  condition: () => boolean,
): Promise<void> {
  const holds = () => {
    if (condition()) return true;
    source.advanceSlot();
    return false;
  };
  await expect.poll(holds, { interval: 1 }).toBe(true);
}

/** The account with another value at an offset. */
export function withValueAt(
  account: ClusterAccount,
  offset: number,
  value: bigint,
): ClusterAccount {
  const data = account.data.slice();
  new DataView(data.buffer).setBigUint64(offset, value, true);
  return { ...account, data };
}

export function findAccount(
  source: FakeSource,
  codec: { matches(account: ClusterAccount): boolean },
): [Address, ClusterAccount] {
  const found = [...source.accounts].find(([, account]) => codec.matches(account));
  if (found === undefined) throw new Error('no such golden account');
  return found;
}
