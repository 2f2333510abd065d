import type { Logger, Slot } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { RecentEventsCache } from '../../clusters/recent-events.ts';
import type { PositionHistoryLoader, Recording } from '../../clusters/recording.ts';
import { VaultHistoryCache } from '../../clusters/vault-history-cache.ts';
import type { FeedFacts } from '../../feed/feed-message.ts';
import type { WriterRequests } from '../../feed/writer-requests.ts';
import { EVENTS_CHECKPOINT } from '../../history/checkpoint-names.ts';
import type { History } from '../../history/open-history.ts';
import { readCheckpoint } from '../../history/queries/checkpoints.ts';
import { areAllEventsRecorded } from '../../history/queries/event-coverage.ts';
import { createHistoryReader } from '../../history/queries/history-reader.ts';
import { ReplicaReads } from './replica-reads.ts';

type ApiHistoryOptions = {
  readonly history: History;
  readonly isReplica: boolean;
  readonly reader: ClusterReader;
  readonly facts: () => Partial<FeedFacts>;
  readonly requests: WriterRequests;
  readonly log: Logger;
};

export type ApiHistory = {
  readonly reads: Pick<
    Recording,
    'history' | 'vaultHistoryCache' | 'recentEvents' | 'positionHistory' | 'waitForEvents'
  >;
  readonly vaultHistoryCache: Pick<VaultHistoryCache, 'isLoaded'>;
  /** Call it when state has reached another slot. */
  onSlot(): void;
  /** Call it when the state of another writer may have begun: its database may have been restored. */
  onReplaced(): void;
};

/** The writer may load a position for two seconds before it says that it goes on. */
const POSITION_WAIT_MS = 10_000;

/** The history as a process reads it that writes nothing. The feed says how far the writer has recorded it. */
export function openApiHistory(options: ApiHistoryOptions): ApiHistory {
  const { history, isReplica, reader, facts, requests, log } = options;
  const historyReader = createHistoryReader(history.db);
  const replica = new ReplicaReads(historyReader);
  const recentEvents = new RecentEventsCache({ history: historyReader, reader });
  const vaultHistoryCache = new VaultHistoryCache({ history: historyReader, reader, log });
  let eventsVersion: number | undefined;
  let vaultVersion: number | undefined;
  const updateRecentEvents = async (): Promise<void> => {
    const { events } = facts();
    if (events === undefined || events.version === eventsVersion) return;
    eventsVersion = events.version;
    const { checkpoint } = events;
    const hasEvents =
      !isReplica || (await replica.waitForCheckpoint(checkpoint).catch(() => false));
    recentEvents.invalidate();
    // again with the next slot
    if (!hasEvents) eventsVersion = undefined;
  };
  /** The list in memory may be of an earlier checkpoint: the writer announces each one a little later. */
  const hasRecordedEvents = async (slot: Slot, timeoutMs: number): Promise<boolean> => {
    const checkpoint = await waitForEvents({ ...options, replica }, slot, timeoutMs);
    if (checkpoint !== undefined) await recentEvents.requireCheckpoint(checkpoint);
    return checkpoint !== undefined;
  };
  return {
    reads: {
      history: historyReader,
      vaultHistoryCache,
      recentEvents,
      positionHistory: positionLoader(options, replica, () => areAllEventsRecorded(historyReader)),
      waitForEvents: hasRecordedEvents,
    },
    vaultHistoryCache,
    onReplaced() {
      historyReader.ids.forget();
      eventsVersion = undefined;
      vaultVersion = undefined;
    },
    onSlot() {
      void updateRecentEvents();
      const { vaultHistoryVersion } = facts();
      const isBehind = vaultHistoryVersion !== vaultVersion;
      vaultVersion = vaultHistoryVersion;
      // together with the writer, so that all processes give the same figures
      void (isBehind ? vaultHistoryCache.refresh() : vaultHistoryCache.refreshIfStale());
    },
  };
  /** The writer completes positions, because this process writes nothing. */
  function positionLoader(
    { isReplica: hasReplica }: ApiHistoryOptions,
    reads: ReplicaReads,
    hasEverything: () => Promise<boolean>,
  ): PositionHistoryLoader {
    const require: PositionHistoryLoader['require'] = async (positions) => {
      if (positions.length === 0 || (await hasEverything())) return;
      await requests.send({ kind: 'positions', positions }, POSITION_WAIT_MS);
    };
    return hasReplica ? reads.positionHistory({ require }) : { hasEverything, require };
  }
}

type EventWait = ApiHistoryOptions & { readonly replica: ReplicaReads };

/**
 * The checkpoint of the database that includes all events up to the slot; undefined if there is none. By what the writer
 * says; by the checkpoint itself while the writer does not respond.
 */
async function waitForEvents(
  { facts, requests, isReplica, replica, history }: EventWait,
  slot: Slot,
  timeoutMs: number,
): Promise<Slot | undefined> {
  const isRecorded = (): boolean => (facts().events?.upTo ?? -1n) >= slot;
  if (!isRecorded())
    await requests.send({ kind: 'events', slot }, timeoutMs).catch(() => undefined);
  const checkpoint = facts().events?.checkpoint;
  if (isRecorded() && checkpoint !== undefined) {
    const hasEvents = !isReplica || (await replica.waitForCheckpoint(checkpoint, timeoutMs));
    return hasEvents ? checkpoint : undefined;
  }
  const stored = await readCheckpoint(history.db, EVENTS_CHECKPOINT);
  return stored !== undefined && stored.slot >= slot ? stored.slot : undefined;
}
