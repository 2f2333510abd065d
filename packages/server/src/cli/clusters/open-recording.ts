import {
  type Address,
  type ChainTime,
  hasCode,
  type Logger,
  type RawAccount,
  type Slot,
} from '@tidegate/core/base';
import type { StakePool } from '@tidegate/core/protocol/spl';
import type { ClusterState } from '@tidegate/core/state';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import { sleepUnlessAborted } from '../../chain/retry.ts';
import { RecentEventsCache } from '../../clusters/recent-events.ts';
import type { PositionHistoryLoader, RecordingStatus } from '../../clusters/served-clusters.ts';
import { VaultHistoryCache } from '../../clusters/vault-history-cache.ts';
import type { History } from '../../history/open-history.ts';
import { createHistoryReader, type HistoryReader } from '../../history/queries/history-reader.ts';
import { EventFollower } from '../../indexer/events/event-follower.ts';
import type { EventProgress } from '../../indexer/events/event-follower-options.ts';
import { OwnerIndex } from '../../indexer/events/owner-index.ts';
import { programDeployments } from '../../indexer/follow/account-sets.ts';
import { PositionHistory } from '../../indexer/positions/position-history.ts';
import { VaultPriceLoader } from '../../indexer/positions/vault-price-loader.ts';
import { SlotPrices } from '../../indexer/prices/slot-prices.ts';
import { LiveRecorder, type StakePoolAccount } from '../../indexer/recording/live-recorder.ts';
import type { Registry } from '../../registry/registry.ts';
import { createRecordingStatus } from './recording-status.ts';
import { ReplicaReads } from './replica-reads.ts';

type RecordingSettings = {
  /** Days to store minute samples and raw data. */
  readonly minuteRetentionDays?: number;
  readonly rawRetentionDays?: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly history: History;
  /** A replica of it for the reads of requests. The recording closes it. */
  readonly replica?: History | undefined;
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
  readonly positionHistory: PositionHistoryLoader;
  /** Whether all events up to the slot are recorded. */
  waitForEvents(slot: Slot, timeoutMs: number): Promise<boolean>;
  /** By token mint. */
  stakePools(): ReadonlyMap<Address, StakePool>;
  status(): RecordingStatus;
  stakePoolAccounts(): readonly StakePoolAccount[];
  eventProgress(): EventProgress;
  /** Call it before state is loaded. */
  start(): Promise<void>;
  onAccount(address: Address, account: RawAccount | undefined): void;
  onSlot(at: ChainTime): void;
  stop(): Promise<void>;
};

const DEFAULT_RETENTION_DAYS = 30;

const START_RETRY_MS = 1_000;

/** Waits for a database that does not respond. With a damaged one nothing is recorded. */
async function startRecorder(
  recorder: LiveRecorder,
  { health }: History,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await recorder.start();
    } catch (error) {
      if (!hasCode(error, 'HISTORY_UNAVAILABLE')) throw error;
      if (health.status().failure?.problem === 'damaged') return;
    }
    await sleepUnlessAborted(START_RETRY_MS, signal);
  }
}

const retentionOf = ({
  minuteRetentionDays = DEFAULT_RETENTION_DAYS,
  rawRetentionDays = DEFAULT_RETENTION_DAYS,
}: RecordingSettings) => ({ minuteRetentionDays, rawRetentionDays });

const { klend, kvault, farms } = programDeployments;
const programs = [...klend, ...kvault, ...farms];

export function openRecording(settings: RecordingSettings): ClusterRecording {
  const { history, registry, state, source, clock, log, hasAllPositions } = settings;
  const shared = { source, history, ownerIndex: new OwnerIndex(state), log, random: Math.random };
  const slotPrices = new SlotPrices();
  const positionHistory = new PositionHistory(shared);
  const reads = openReads(settings, positionHistory, () => events.progress().checkpoint);
  const { reader, onRecorded } = reads;
  const events = new EventFollower({ ...shared, clock, programs, slotPrices, onRecorded });
  const recorder = new LiveRecorder({
    ...shared,
    state,
    registry,
    clock,
    ...retentionOf(settings),
    hasAllPositions,
    onShareBalance: (account) => events.onShareAccountChange(account),
  });
  const onLoaded = () => void reads.vaultHistoryCache.refresh();
  const vaultPrices = new VaultPriceLoader({ ...shared, state, onLoaded });
  const stopping = new AbortController();
  const parts = { ...shared, reader, programs, recorder, events, positionHistory, clock };
  const status = createRecordingStatus(parts);
  let isFollowing = false;
  return {
    ...reads,
    stakePools: () => recorder.stakePools(),
    stakePoolAccounts: () => recorder.stakePoolAccounts(),
    eventProgress: () => events.progress(),
    waitForEvents: async (slot, timeoutMs) =>
      (await events.waitForSlot(slot, timeoutMs)) && (await reads.hasRecorded(timeoutMs)),
    status: status.read,
    start: () => startRecorder(recorder, history, stopping.signal),
    onAccount: (address, account) => recorder.onAccount(address, account),
    onSlot(at) {
      slotPrices.record(state, registry, at);
      recorder.onSlot(at);
      void reads.vaultHistoryCache.refreshIfStale();
      void status.refreshIfStale();
      // the owner index needs loaded state
      if (!isFollowing) {
        events.start();
        vaultPrices.start();
      }
      isFollowing = true;
    },
    async stop() {
      stopping.abort();
      await Promise.all([positionHistory.stop(), vaultPrices.stop(), isFollowing && events.stop()]);
      await recorder.stop();
      await settings.replica?.close();
    },
  };
}

/** The read side: the database itself, or its replica. */
function openReads(
  { history, replica, state, log }: RecordingSettings,
  positions: PositionHistory,
  checkpoint: () => Slot,
) {
  const reader = createHistoryReader((replica ?? history).db);
  const recentEvents = new RecentEventsCache({ history: reader, reader: state });
  const vaultHistoryCache = new VaultHistoryCache({ history: reader, reader: state, log });
  const cached = { reader, recentEvents, vaultHistoryCache };
  if (replica === undefined) {
    const onRecorded = recentEvents.invalidate;
    return { ...cached, positionHistory: positions, onRecorded, hasRecorded: async () => true };
  }
  const reads = new ReplicaReads(reader);
  const hasRecorded = (timeoutMs: number) => reads.waitForCheckpoint(checkpoint(), timeoutMs);
  const onRecorded = () =>
    void reads
      .waitForCheckpoint(checkpoint())
      .catch(() => false)
      .then(recentEvents.invalidate);
  return { ...cached, positionHistory: reads.positionHistory(positions), onRecorded, hasRecorded };
}
