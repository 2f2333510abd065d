import type { Address, Logger } from '@tidegate/core/base';
import { PeriodicValue } from '../../clusters/periodic-value.ts';
import type { RecordingStatus } from '../../clusters/served-clusters.ts';
import type { History } from '../../history/open-history.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readRecordedRange } from '../../history/queries/recorded-range.ts';
import type { EventFollower } from '../../indexer/events/event-follower.ts';
import type { PositionHistory } from '../../indexer/positions/position-history.ts';
import type { LiveRecorder } from '../../indexer/recording/live-recorder.ts';

type RecordingParts = {
  readonly history: Pick<History, 'pool'>;
  readonly reader: HistoryReader;
  readonly programs: readonly Address[];
  readonly recorder: Pick<LiveRecorder, 'status'>;
  readonly events: Pick<EventFollower, 'status'>;
  readonly positionHistory: Pick<PositionHistory, 'loading'>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly log: Logger;
};

/** Read from memory, so that a database that does not respond delays no scrape. Call `refreshIfStale` often. */
export function createRecordingStatus(parts: RecordingParts) {
  const { history, reader, programs, recorder, events, positionHistory, clock, log } = parts;
  const compute = () => readRecordedRange(reader, programs);
  const range = new PeriodicValue({ compute, name: 'range of recorded events', clock, log });
  return {
    refreshIfStale: () => range.refreshIfStale(),
    read: (): RecordingStatus => {
      const { sampledAt, writtenAt, waiting } = recorder.status();
      const { slot, undecoded, failures } = events.status();
      const { eventsSince, backfilledTo = new Map() } = range.current() ?? {};
      return {
        sampledAt,
        writtenAt,
        waitingBatches: waiting,
        eventSlot: slot,
        undecodedTransactions: undecoded,
        eventFailures: failures,
        loadingPositions: positionHistory.loading,
        eventsSince,
        backfilledTo,
        pool: history.pool?.(),
      };
    },
  };
}
