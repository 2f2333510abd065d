import type { Address, Logger } from '@tidegate/core/base';
import type { RecordingStatus } from '../../clusters/cluster-status.ts';
import { PeriodicValue } from '../../clusters/periodic-value.ts';
import type { History } from '../../history/open-history.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readRecordedRange } from '../../history/queries/recorded-range.ts';
import type { RecordingWriter } from './recording-writer.ts';

type RecordingParts = {
  readonly history: Pick<History, 'pool'>;
  readonly reader: HistoryReader;
  readonly programs: readonly Address[];
  /** Undefined while this process does not write. */
  readonly writer: () => RecordingWriter | undefined;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly log: Logger;
};

/** Read from memory, so that a database that does not respond delays no scrape. Call `refreshIfStale` often. */
export function createRecordingStatus(parts: RecordingParts) {
  const { history, reader, programs, writer, clock, log } = parts;
  const compute = () => readRecordedRange(reader, programs);
  const range = new PeriodicValue({ compute, name: 'range of recorded events', clock, log });
  return {
    refreshIfStale: () => range.refreshIfStale(),
    read: (): RecordingStatus => {
      const { recorder, events, positionHistory } = writer() ?? {};
      const { sampledAt, writtenAt, waiting = 0 } = recorder?.status() ?? {};
      const { slot, undecoded = 0, failures = 0 } = events?.status() ?? {};
      const { eventsSince, backfilledTo = new Map() } = range.current() ?? {};
      return {
        sampledAt,
        writtenAt,
        waitingBatches: waiting,
        eventSlot: slot,
        undecodedTransactions: undecoded,
        eventFailures: failures,
        loadingPositions: positionHistory?.loading ?? 0,
        eventsSince,
        backfilledTo,
        pool: history.pool?.(),
      };
    },
  };
}
