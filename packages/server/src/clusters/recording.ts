import type { Address, Slot } from '@tidegate/core/base';
import type { StakePool } from '@tidegate/core/protocol/spl';
import type { HistoryReader } from '../history/queries/history-reader.ts';
import type { ClusterHooks } from './cluster-hooks.ts';
import type { ConnectionPoolStatus, RecordingStatus } from './cluster-status.ts';
import type { PositionGapReader } from './position-gap-report.ts';
import type { RecentEventsReader } from './recent-events.ts';
import type { VaultHistoryReader } from './vault-history-cache.ts';

/** What is recorded of a cluster, by this process or by another one. */
export type Recording = {
  readonly history: HistoryReader;
  /** History that current figures need, in memory. */
  readonly vaultHistoryCache: VaultHistoryReader;
  /** The newest events, in memory. */
  readonly recentEvents: RecentEventsReader;
  /** Completes the history of positions on demand. */
  readonly positionHistory: PositionHistoryLoader;
  readonly positionGaps: PositionGapReader;
  readonly hooks: ClusterHooks;
  /** Stake pools by token, as last read. */
  stakePools(): ReadonlyMap<Address, StakePool>;
  /**
   * Whether all events up to the slot are recorded, or at least those of the position if its events are loaded on
   * demand. Waits at most `timeoutMs`.
   */
  waitForEvents(slot: Slot, timeoutMs: number, position?: Address): Promise<boolean>;
  /** Undefined in a process that never records. */
  status(): RecordingStatus | undefined;
  /** Connections to PostgreSQL; undefined with the embedded database. */
  connections(): ConnectionPoolStatus | undefined;
};

export type PositionHistoryLoader = {
  /** Whether no event of any position is missing. */
  hasEverything(): Promise<boolean>;
  /**
   * Resolves when all events of the positions are recorded. Throws HISTORY_INCOMPLETE while they are loaded, or if no
   * node has them. `name` is for the message, `address` the account of the position; `isListed` if its transactions are
   * listed and no figure is computed from them.
   */
  require(
    positions: readonly {
      readonly name: string;
      readonly address: Address;
      readonly isListed?: true;
    }[],
  ): Promise<void>;
};
