import { type Address, type Logger, type Slot, toSlot } from '@tidegate/core/base';
import type { StakePool } from '@tidegate/core/protocol/spl';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import { PeriodicValue } from '../../clusters/periodic-value.ts';
import type { RecentEventsCache } from '../../clusters/recent-events.ts';
import { EVENTS_CHECKPOINT } from '../../history/checkpoint-names.ts';
import { readCheckpoint } from '../../history/queries/checkpoints.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { decodeStakePoolOf } from '../../indexer/recording/stake-pools.ts';
import type { Registry } from '../../registry/registry.ts';
import { ReplicaReads } from './replica-reads.ts';

type ReaderOptions = {
  readonly source: Pick<ClusterSource, 'getAccounts'>;
  readonly registry: Pick<Registry, 'stakePools'>;
  readonly clock: () => number;
  readonly log: Logger;
};

type Reads = {
  readonly reader: HistoryReader;
  readonly recentEvents: RecentEventsCache;
};

/** What the recorder does for reads, in a process that does not record. */
export function openReaderParts({ source, registry, clock, log }: ReaderOptions, reads: Reads) {
  const compute = () => readStakePools(source, registry);
  const pools = new PeriodicValue({ compute, name: 'stake pools', clock, log });
  const checkpoint = new ReplicaReads(reads.reader);
  let seen = toSlot(0n);
  let isChecking = false;
  const checkEvents = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    try {
      const { slot = seen } = (await readCheckpoint(reads.reader.db, EVENTS_CHECKPOINT)) ?? {};
      if (slot !== seen) reads.recentEvents.invalidate();
      seen = slot;
    } catch {
      // the health of the database is logged elsewhere
    } finally {
      isChecking = false;
    }
  };
  return {
    stakePools: (): ReadonlyMap<Address, StakePool> => pools.current() ?? new Map(),
    /** By the checkpoint of the writer, which moves with the events and at least every 30 seconds. */
    waitForEvents: async (slot: Slot, timeoutMs: number): Promise<boolean> => {
      if (!(await checkpoint.waitForCheckpoint(slot, timeoutMs))) return false;
      await reads.recentEvents.requireCheckpoint(slot);
      return true;
    },
    /** Call it at every slot. */
    refresh: async (): Promise<void> => {
      await Promise.all([pools.refreshIfStale(), checkEvents()]);
    },
  };
}

async function readStakePools(
  source: ReaderOptions['source'],
  { stakePools }: ReaderOptions['registry'],
): Promise<ReadonlyMap<Address, StakePool>> {
  const pools = [...stakePools];
  if (pools.length === 0) return new Map();
  const { accounts } = await source.getAccounts(pools.map(([, pool]) => pool));
  return new Map(
    pools.flatMap(([mint], index): [Address, StakePool][] => {
      const account = accounts[index];
      const pool = account && decodeStakePoolOf(mint, account);
      return pool === undefined ? [] : [[mint, pool]];
    }),
  );
}
