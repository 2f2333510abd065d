import type { Address, ChainTime, Logger, RawAccount, Slot } from '@tidegate/core/base';
import type { StakePool } from '@tidegate/core/protocol/spl';
import type { ClusterState } from '@tidegate/core/state';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import { RecentEventsCache } from '../../clusters/recent-events.ts';
import { VaultHistoryCache } from '../../clusters/vault-history-cache.ts';
import type { History } from '../../history/open-history.ts';
import { createHistoryReader, type HistoryReader } from '../../history/queries/history-reader.ts';
import { EventFollower } from '../../indexer/events/event-follower.ts';
import { OwnerIndex } from '../../indexer/events/owner-index.ts';
import { programDeployments } from '../../indexer/follow/account-sets.ts';
import { PositionHistory } from '../../indexer/positions/position-history.ts';
import { VaultPriceLoader } from '../../indexer/positions/vault-price-loader.ts';
import { SlotPrices } from '../../indexer/prices/slot-prices.ts';
import { LiveRecorder } from '../../indexer/recording/live-recorder.ts';
import type { Registry } from '../../registry/registry.ts';

type RecordingSettings = {
  /** Days to store minute samples and raw data. */
  readonly minuteRetentionDays?: number;
  readonly rawRetentionDays?: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly history: History;
  readonly registry: Registry;
  readonly state: ClusterState;
  readonly source: ClusterSource;
  readonly log: Logger;
  /** Whether state has all loans and shares, so that stored ones that it lacks were closed. */
  readonly hasAllPositions: () => boolean;
};

/** Writes the history of a followed cluster, and reads it. */
export type ClusterRecording = {
  readonly reader: HistoryReader;
  readonly vaultHistoryCache: VaultHistoryCache;
  readonly recentEvents: RecentEventsCache;
  readonly positionHistory: PositionHistory;
  /** Whether all events up to the slot are recorded. */
  waitForEvents(slot: Slot, timeoutMs: number): Promise<boolean>;
  /** By token mint. */
  stakePools(): ReadonlyMap<Address, StakePool>;
  /** Call it before state is loaded. */
  start(): Promise<void>;
  onAccount(address: Address, account: RawAccount | undefined): void;
  onSlot(at: ChainTime): void;
  stop(): Promise<void>;
};

const DEFAULT_RETENTION_DAYS = 30;

export function openRecording(settings: RecordingSettings): ClusterRecording {
  const { history, registry, state, source, clock, log } = settings;
  const { hasAllPositions } = settings;
  const { minuteRetentionDays = DEFAULT_RETENTION_DAYS } = settings;
  const { rawRetentionDays = DEFAULT_RETENTION_DAYS } = settings;
  const ownerIndex = new OwnerIndex(state);
  const shared = { source, history, ownerIndex, log, random: Math.random };
  const { klend, kvault, farms } = programDeployments;
  const programs = [...klend, ...kvault, ...farms];
  const slotPrices = new SlotPrices();
  const reader = createHistoryReader(history.db);
  const recentEvents = new RecentEventsCache({ history: reader, reader: state });
  const onRecorded = recentEvents.invalidate;
  const events = new EventFollower({ ...shared, clock, programs, slotPrices, onRecorded });
  const recorder = new LiveRecorder({
    ...shared,
    state,
    registry,
    clock,
    minuteRetentionDays,
    rawRetentionDays,
    hasAllPositions,
    onShareBalance: (account) => events.onShareAccountChange(account),
  });
  const vaultHistoryCache = new VaultHistoryCache({ history: reader, reader: state, log });
  const positionHistory = new PositionHistory(shared);
  const onLoaded = () => void vaultHistoryCache.refresh();
  const vaultPrices = new VaultPriceLoader({ ...shared, state, onLoaded });
  let isFollowing = false;
  return {
    reader,
    vaultHistoryCache,
    recentEvents,
    positionHistory,
    stakePools: () => recorder.stakePools(),
    waitForEvents: (slot, timeoutMs) => events.waitForSlot(slot, timeoutMs),
    start: () => recorder.start(),
    onAccount: (address, account) => recorder.onAccount(address, account),
    onSlot(at) {
      slotPrices.record(state, registry, at);
      recorder.onSlot(at);
      void vaultHistoryCache.refreshIfStale();
      // the owner index needs loaded state
      if (!isFollowing) {
        events.start();
        vaultPrices.start();
      }
      isFollowing = true;
    },
    async stop() {
      await positionHistory.stop();
      await vaultPrices.stop();
      if (isFollowing) await events.stop();
      await recorder.stop();
    },
  };
}
