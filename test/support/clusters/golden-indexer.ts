import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import {
  createIndexer,
  type Indexer,
  type IndexerOptions,
} from '#server/indexer/follow/indexer.ts';
import { FakeSource } from '../fakes/fake-source.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { goldenCluster } from '../golden/golden.ts';

const QUICK = {
  retryMs: 1,
  tickMs: 2,
  waitMs: 1_000,
  freshMs: 60_000,
  checkLoansMs: 600_000,
  checkOthersMs: 600_000,
};

export type GoldenIndexer = {
  readonly source: FakeSource;
  readonly state: ClusterState;
  readonly indexer: Indexer;
};

/** An indexer over the golden cluster that has not started. */
export function createGoldenIndexer(options: Partial<IndexerOptions> = {}): GoldenIndexer {
  const { at, accounts } = goldenCluster();
  const source = new FakeSource(at, accounts);
  const state = new ClusterState({ log: silentLog });
  const indexer = createIndexer({
    ...{ source, state, mode: 'all', clock: () => performance.now(), random: () => 1, log: silentLog },
    ...options,
    timing: { ...QUICK, ...options.timing },
  });
  return { source, state, indexer };
}

/** Slots pass until the promise is settled. */
export async function advanceSlotsWhile<Value>(
  source: FakeSource,
  promise: Promise<Value>,
): Promise<Value> {
  const timer = setInterval(() => source.step(), 1);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
  }
}

/** Slots pass until it is so. */
export async function advanceSlotsUntil(source: FakeSource, isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000; turn++) {
    if (isSo()) return;
    source.step();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new Error('it never came about');
}

/** The golden account with other bytes at an offset. */
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
  kind: { matches(account: ClusterAccount): boolean },
): [Address, ClusterAccount] {
  const found = [...source.accountsNow].find(([, account]) => kind.matches(account));
  if (found === undefined) throw new Error('no such golden account');
  return found;
}
