import {
  type Address,
  type ChainTime,
  type Logger,
  type RawAccount,
  type Slot,
  toSlot,
} from '@tidegate/core/base';
import type { StakePool } from '@tidegate/core/protocol/spl';
import type { ClusterState } from '@tidegate/core/state';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import type { HookStatus } from '../../clusters/cluster-hooks.ts';
import type { RecordingStatus } from '../../clusters/cluster-status.ts';
import type { PositionGapReader } from '../../clusters/position-gap-report.ts';
import { RecentEventsCache } from '../../clusters/recent-events.ts';
import type { PositionHistoryLoader } from '../../clusters/recording.ts';
import type { HistoryMode } from '../../clusters/served-clusters.ts';
import { VaultHistoryCache } from '../../clusters/vault-history-cache.ts';
import { CodedError } from '../../errors.ts';
import type { ClusterIdentity } from '../../history/cluster-identity.ts';
import type { History } from '../../history/open-history.ts';
import { createHistoryReader, type HistoryReader } from '../../history/queries/history-reader.ts';
import type { EventProgress } from '../../indexer/events/event-follower-options.ts';
import { programDeployments } from '../../indexer/follow/account-sets.ts';
import type { RolledBackSlots } from '../../indexer/follow/rolled-back-slots.ts';
import { SlotPrices } from '../../indexer/prices/slot-prices.ts';
import type { StakePoolAccount } from '../../indexer/recording/live-recorder.ts';
import type { Registry } from '../../registry/registry.ts';
import type { HookCommand } from '../../webhooks/hook-command.ts';
import { openReaderParts } from '../clusters/reader-parts.ts';
import { ReplicaReads } from '../clusters/replica-reads.ts';
import { reportGaps } from '../clusters/report-gaps.ts';
import { createRecordingStatus } from './recording-status.ts';
import { RecordingTerms } from './recording-terms.ts';
import { RecordingWriter, type RecordingWriterOptions } from './recording-writer.ts';

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
  /** What is recorded; by default everything. */
  readonly historyMode?: HistoryMode;
  readonly hooks: RecordingWriterOptions['hooks'];
  /** Receive the transactions of the programs. */
  readonly onTransactions?: RecordingWriterOptions['onTransactions'];
  readonly onFailed?: RecordingWriterOptions['onFailed'];
  readonly runningPrograms: RecordingWriterOptions['runningPrograms'];
  readonly gapRepair?: RecordingWriterOptions['gapRepair'];
};

/** Reads the history of a followed cluster, and writes it unless another process does. */
export type ClusterRecording = {
  readonly reader: HistoryReader;
  readonly vaultHistoryCache: VaultHistoryCache;
  readonly recentEvents: RecentEventsCache;
  readonly positionHistory: PositionHistoryLoader;
  /** No report while another process writes. */
  readonly positionGaps: PositionGapReader;
  /** Whether all events up to the slot are recorded, or those of the position if they are loaded on demand. */
  waitForEvents(slot: Slot, timeoutMs: number, position?: Address): Promise<boolean>;
  /** By token mint. */
  stakePools(): ReadonlyMap<Address, StakePool>;
  status(): RecordingStatus;
  stakePoolAccounts(): readonly StakePoolAccount[];
  eventProgress(): EventProgress;
  /** Changes webhooks. Throws NOT_WRITER if another process writes. */
  executeHook(command: HookCommand): Promise<void>;
  /** Undefined while another process writes. */
  hookStatus(): HookStatus | undefined;
  /**
   * Call it before state is loaded. `identity`: undefined if it is not known. Throws HISTORY_OF_ANOTHER if the database
   * has the history of another cluster.
   */
  start(identity: ClusterIdentity | undefined): Promise<void>;
  /** `isVisible`: whether its fields have changed, not only its slot. */
  onAccount(address: Address, account: RawAccount | undefined, isVisible: boolean): void;
  onSlot(at: ChainTime): void;
  /** Call it when slots for which state was complete were rolled back. */
  onRollBack(slots: RolledBackSlots): void;
  stop(): Promise<void>;
};

const DEFAULT_RETENTION_DAYS = 30;

const retentionOf = ({
  minuteRetentionDays = DEFAULT_RETENTION_DAYS,
  rawRetentionDays = DEFAULT_RETENTION_DAYS,
}: RecordingSettings) => ({ minuteRetentionDays, rawRetentionDays });

const { klend, kvault, farms } = programDeployments;
const programs = [...klend, ...kvault, ...farms];

export function openRecording(settings: RecordingSettings): ClusterRecording {
  const { history, registry, state, clock, log } = settings;
  const slotPrices = new SlotPrices();
  const isOnDemand = settings.historyMode === 'events-on-demand';
  const reads = openReads(settings, () => terms.writer);
  const readerParts = openReaderParts(settings, reads);
  const onBegin = () => readAgain(reads, state);
  const onNewEpoch = () => {
    reads.reader.ids.forget();
    readAgain(reads, state);
  };
  const writerOptions: RecordingWriterOptions = {
    ...settings,
    ...retentionOf(settings),
    ...{ programs, slotPrices },
    historyMode: isOnDemand ? 'events-on-demand' : 'full',
    onRecorded: reads.onRecorded,
    onPricesLoaded: () => void reads.vaultHistoryCache.refresh(),
  };
  const open = () => new RecordingWriter(writerOptions);
  const terms = new RecordingTerms({ history, open, onBegin, onNewEpoch, log });
  const { reader } = reads;
  const writer = () => terms.writer;
  const status = createRecordingStatus({ history, reader, programs, writer, clock, log });
  return {
    ...reads,
    stakePools: () => terms.writer?.recorder.stakePools() ?? readerParts.stakePools(),
    stakePoolAccounts: () => terms.writer?.recorder.stakePoolAccounts() ?? [],
    eventProgress: () => progressOf(terms.writer),
    positionGaps: { report: () => reportOf(terms.writer) },
    ...hookAccess(writer),
    waitForEvents: async (slot, timeoutMs, position) => {
      const current = terms.writer;
      if (current === undefined) return await readerParts.waitForEvents(slot, timeoutMs);
      if (!(await current.waitForEvents(slot, timeoutMs, position))) return false;
      return isOnDemand || (await reads.hasRecorded(timeoutMs));
    },
    status: status.read,
    start: async (identity) => {
      await terms.start(identity);
      if (terms.writer === undefined) await readerParts.refresh();
    },
    onAccount: (...change) => terms.writer?.onAccount(...change),
    onSlot(at) {
      slotPrices.record(state, registry, at);
      if (terms.writer === undefined) void readerParts.refresh();
      terms.writer?.onSlot(at);
      void reads.vaultHistoryCache.refreshIfStale();
      void status.refreshIfStale();
    },
    onRollBack(slots) {
      slotPrices.rollBack(slots.oldest);
      terms.writer?.onRollBack(slots);
    },
    async stop() {
      await terms.stop();
      await settings.replica?.close();
    },
  };
}

function readAgain(
  { recentEvents, vaultHistoryCache }: Pick<ClusterRecording, 'recentEvents' | 'vaultHistoryCache'>,
  state: ClusterState,
): void {
  recentEvents.invalidate();
  if (state.at().slot > 0n) void vaultHistoryCache.refresh();
}

const reportOf = (writer: RecordingWriter | undefined) =>
  writer?.isReconciled === true ? reportGaps(writer.reconciliation.checker) : undefined;

/** Events count as recorded when positions are compared with them. */
function progressOf(writer: RecordingWriter | undefined): EventProgress {
  if (writer === undefined) return NO_PROGRESS;
  const { upTo, checkpoint } = writer.events.progress();
  const checked = writer.reconciliation.checker.checkedSlot ?? NO_PROGRESS.upTo;
  return { upTo: checked < upTo ? checked : upTo, checkpoint };
}

const NO_PROGRESS: EventProgress = { upTo: toSlot(0n), checkpoint: toSlot(0n) };

/** The read side: the database itself, or its replica. */
function openReads(
  { history, replica, state, log }: RecordingSettings,
  writer: () => RecordingWriter | undefined,
) {
  const reader = createHistoryReader((replica ?? history).db);
  const recentEvents = new RecentEventsCache({ history: reader, reader: state });
  const vaultHistoryCache = new VaultHistoryCache({ history: reader, reader: state, log });
  const cached = { reader, recentEvents, vaultHistoryCache };
  const reads = new ReplicaReads(reader);
  const positions = positionLoader(reads, writer);
  if (replica === undefined) {
    const onRecorded = recentEvents.invalidate;
    return { ...cached, positionHistory: positions, onRecorded, hasRecorded: async () => true };
  }
  const checkpoint = () => writer()?.events.progress().checkpoint ?? toSlot(0n);
  const hasRecorded = async (timeoutMs: number): Promise<boolean> => {
    const slot = checkpoint();
    if (!(await reads.waitForCheckpoint(slot, timeoutMs))) return false;
    await recentEvents.requireCheckpoint(slot);
    return true;
  };
  const onRecorded = () =>
    void reads
      .waitForCheckpoint(checkpoint())
      .catch(() => false)
      .then(recentEvents.invalidate);
  return { ...cached, positionHistory: reads.positionHistory(positions), onRecorded, hasRecorded };
}

/** A process that does not write cannot complete the past of a position. */
function positionLoader(
  reads: ReplicaReads,
  writer: () => RecordingWriter | undefined,
): PositionHistoryLoader {
  const recorded = reads.positionHistory({
    async require([position]) {
      const what = position?.name ?? 'a position';
      const reason =
        'this server does not record the history, and the one that does has not loaded it';
      throw new CodedError('HISTORY_INCOMPLETE', { what, reason, retryAfterSeconds: 60 });
    },
  });
  return {
    hasEverything: () => (writer()?.positionHistory ?? recorded).hasEverything(),
    require: (positions) => writer()?.requirePositions(positions) ?? recorded.require(positions),
  };
}

const hookAccess = (
  writer: () => RecordingWriter | undefined,
): Pick<ClusterRecording, 'executeHook' | 'hookStatus'> => ({
  executeHook: async (command) => {
    const hooks = writer()?.hooks;
    if (hooks === undefined) throw new CodedError('NOT_WRITER', {});
    await hooks.execute(command);
  },
  hookStatus: () => writer()?.hooks.status(),
});
