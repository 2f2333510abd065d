import type { RecordingStatus } from '../../clusters/cluster-status.ts';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { OperationContext } from '../operation-context.ts';
import { eachCluster, type MetricHead, numberOf, type Samples } from './each-cluster.ts';

type RecordingMetric = MetricHead & { readonly read: (status: RecordingStatus) => Samples };

/** Times are Unix times in seconds. */
const recordingMetrics: readonly RecordingMetric[] = [
  {
    name: 'tidegate_history_last_sample_timestamp_seconds',
    help: 'Chain time of the newest sample.',
    read: ({ sampledAt }) => [{ value: numberOf(sampledAt) }],
  },
  {
    name: 'tidegate_history_last_write_timestamp_seconds',
    help: 'Last successful write of samples and positions to the database.',
    read: ({ writtenAt }) => [{ value: writtenAt === undefined ? undefined : writtenAt / 1000 }],
  },
  {
    name: 'tidegate_history_writes_waiting',
    help: 'Batches of samples and positions that are not written yet.',
    read: ({ waitingBatches }) => [{ value: waitingBatches }],
  },
  {
    name: 'tidegate_history_event_slot',
    help: 'Slot up to which all events are recorded.',
    read: ({ eventSlot }) => [{ value: numberOf(eventSlot) }],
  },
  {
    name: 'tidegate_history_event_poll_failures',
    help: 'Failed attempts to list events since the last one that succeeded.',
    read: ({ eventFailures }) => [{ value: eventFailures }],
  },
  {
    name: 'tidegate_history_undecoded_transactions_total',
    help: 'Transactions that cannot be decoded.',
    read: ({ undecodedTransactions }) => [{ value: undecodedTransactions }],
  },
  {
    name: 'tidegate_history_positions_loading',
    help: 'Positions whose past is being loaded.',
    read: ({ loadingPositions }) => [{ value: loadingPositions }],
  },
  {
    name: 'tidegate_history_events_since_timestamp_seconds',
    help: 'Chain time since which all events are recorded; 0 if none is missing.',
    read: ({ eventsSince }) => [{ value: numberOf(eventsSince) }],
  },
  {
    name: 'tidegate_backfill_reached_timestamp_seconds',
    help: 'Chain time that the backfill of a program has reached.',
    read: ({ backfilledTo }) =>
      [...backfilledTo].map(([program, unix]) => ({ labels: { program }, value: Number(unix) })),
  },
];

/** Of every process: one that only reads waits for connections too. */
function registerPoolMetrics(context: OperationContext): void {
  const each = eachCluster(context);
  const poolOf = ({ recording }: Cluster) => recording?.connections();
  const connections = {
    name: 'tidegate_database_connections',
    help: 'Connections to PostgreSQL, by state: used or idle.',
  };
  each(connections, (cluster) => {
    const pool = poolOf(cluster);
    return [
      { labels: { state: 'used' }, value: pool?.used },
      { labels: { state: 'idle' }, value: pool?.idle },
    ];
  });
  const waiting = {
    name: 'tidegate_database_queries_waiting',
    help: 'Queries that wait for a connection to PostgreSQL.',
  };
  each(waiting, (cluster) => [{ value: poolOf(cluster)?.waiting }]);
}

export function registerRecordingMetrics(context: OperationContext): void {
  registerPoolMetrics(context);
  const each = eachCluster(context);
  for (const { read, ...head } of recordingMetrics) {
    each(head, ({ recording }) => {
      const status = recording?.status();
      return status === undefined ? [] : read(status);
    });
  }
}
