import type { ComponentChildren } from 'preact';
import { apiRequest, mapResource, useResource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Facts } from '../../components/facts.tsx';
import { Percent } from '../../components/number.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { formatAmount, formatCount } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { hitRate, largestOf, type MetricValues, parseMetrics, totalOf } from './metric-values.ts';

const POLL_MS = 10_000;
const MEBIBYTE = 1_048_576;

/** What this process holds and waits for, from its metrics. */
export function ProcessBlock() {
  const metrics = useResource(apiRequest('GET /metrics'), { pollMs: POLL_MS });
  return (
    <Block
      title="This process"
      resources={[mapResource(metrics, parseMetrics)]}
      skeleton={<Skeleton height={420} />}
    >
      {(values) => (
        <Facts
          rows={rows.map(({ title, help, read }) =>
            help === undefined ? [title, read(values)] : [title, read(values), help],
          )}
        />
      )}
    </Block>
  );
}

type Row = {
  readonly title: string;
  readonly help?: string;
  readonly read: (values: MetricValues) => ComponentChildren;
};

const rows: readonly Row[] = [
  {
    title: 'Memory',
    help: 'Resident; compare it with the limit of the process.',
    read: (values) => mebibytes(totalOf(values, 'process_resident_memory_bytes')),
  },
  {
    title: 'Event loop',
    help: 'How late timers are. Above a second, one core is not enough: add API processes.',
    read: (values) => lag(largestOf(values, 'tidegate_event_loop_lag_seconds')),
  },
  {
    title: 'Cached responses',
    help: 'Answers that are kept until their data changes.',
    read: (values) => cache(values, 'tidegate_cached_responses', 'tidegate_cached_response_bytes'),
  },
  {
    title: 'Responses from the cache',
    read: (values) => <HitRate rate={hitRate(values, 'response_cache')} />,
  },
  {
    title: 'Cached parts of histories',
    read: (values) =>
      cache(values, 'tidegate_cached_history_chunks', 'tidegate_cached_history_bytes'),
  },
  {
    title: 'Histories from the cache',
    read: (values) => <HitRate rate={hitRate(values, 'history_cache')} />,
  },
  {
    title: 'Histories to compute',
    help: 'Requests that wait. If they stay, add API processes.',
    read: (values) => count(values, 'tidegate_history_builds_waiting'),
  },
  {
    title: 'Writes to the database',
    help: 'Batches that wait. They grow while the database is away.',
    read: (values) => count(values, 'tidegate_history_writes_waiting'),
  },
  {
    title: 'Queries to the database',
    help: 'Queries that wait for a connection to PostgreSQL.',
    read: (values) => count(values, 'tidegate_database_queries_waiting'),
  },
  {
    title: 'Open streams',
    help: 'STREAMS limits them.',
    read: (values) => count(values, 'tidegate_open_streams'),
  },
  {
    title: 'Webhook deliveries',
    help: 'Stored, and not accepted yet. Look for receivers that fail.',
    read: (values) => count(values, 'tidegate_webhook_deliveries_pending'),
  },
  {
    title: 'Deliveries given up',
    help: 'Since the start. They can be replayed.',
    read: (values) => count(values, 'tidegate_webhook_deliveries_abandoned_total'),
  },
  {
    title: 'Requests rejected by a limit',
    help: 'Since the start. Give the caller a key or a higher limit.',
    read: (values) => count(values, 'tidegate_rate_limit_refusals_total'),
  },
];

const NOT_HERE = <span class="weak">not in this process</span>;

const HitRate = ({ rate }: { readonly rate: string | undefined }) => (
  <Percent value={rate} reason="nothing was requested yet" />
);

function count(values: MetricValues, name: string) {
  const value = totalOf(values, name);
  return value === undefined ? NOT_HERE : formatCount(value);
}

function cache(values: MetricValues, countName: string, bytesName: string) {
  const value = totalOf(values, countName);
  if (value === undefined) return NOT_HERE;
  return (
    <>
      {formatCount(value)}, {mebibytes(totalOf(values, bytesName))}
    </>
  );
}

const mebibytes = (bytes: number | undefined) =>
  bytes === undefined ? NOT_HERE : formatAmount(bytes / MEBIBYTE, 'MiB').short;

const lag = (seconds: number | undefined) =>
  seconds === undefined ? NOT_HERE : formatDuration(seconds * 1000);
