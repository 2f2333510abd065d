import type { Status } from '@tidegate/client';
import type { Resource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Notice } from '../../components/notice.tsx';
import { Amount, Unknown } from '../../components/number.tsx';
import { StatsSkeleton, TableSkeleton } from '../../components/skeleton.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { formatAmount, formatCount } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';

type ServedCluster = Status['clusters'][number];
type Step = ServedCluster['source']['steps'][number];
type Endpoint = ServedCluster['endpoints'][number];

/** Where the data of each cluster comes from and how far it is behind. */
export const ClusterBlock = ({ status }: { readonly status: Resource<Status> }) => (
  <Block
    title="Clusters"
    resources={[status]}
    skeleton={
      <>
        <StatsSkeleton hasNotes labels={['Cluster', 'Slot', 'Lag', 'Source']} />
        <TableSkeleton rows={2} columns={stepColumns.length} />
        <TableSkeleton rows={1} columns={endpointColumns.length} />
      </>
    }
  >
    {({ clusters }) =>
      clusters.length === 0 ? (
        <Empty title="No cluster is open yet">The server is starting.</Empty>
      ) : (
        clusters.map((cluster) => <Cluster key={cluster.env} cluster={cluster} />)
      )
    }
  </Block>
);

function Cluster({ cluster }: { readonly cluster: ServedCluster }) {
  const { env, slot, ageMs, lagSlots, commitment, source, waitingFor, missing, scans } = cluster;
  const problems = [
    ...(waitingFor === null ? [] : [`Waits for: ${waitingFor}`]),
    ...missing,
    ...(scans.refused.length === 0 ? [] : [`No endpoint scans: ${scans.refused.join(', ')}`]),
  ];
  return (
    <article aria-label={env}>
      <Stats>
        <Stat label="Cluster" note={`${commitment} data`}>
          {env}
        </Stat>
        <Stat
          label="Slot"
          note={ageMs === null ? 'not loaded yet' : `${formatDuration(ageMs)} old`}
        >
          {slot === null ? <Unknown reason="nothing is loaded yet" /> : formatCount(slot)}
        </Stat>
        <Stat label="Lag" hint="Slots behind the newest slot of any endpoint" note="slots">
          {lagSlots === null ? (
            <Unknown reason="nothing is loaded yet" />
          ) : (
            <Amount value={lagSlots} />
          )}
        </Stat>
        <Stat label="Source" note={source.reason}>
          {source.step}
        </Stat>
      </Stats>
      {problems.map((text) => (
        <Notice key={text} text={text} />
      ))}
      <div>
        <Table
          id={`${env}-steps`}
          label={`Sources of ${env}`}
          columns={stepColumns}
          rows={source.steps}
          keyOf={({ step }) => step}
        />
        <Table
          id={`${env}-endpoints`}
          label={`Endpoints of ${env}`}
          columns={endpointColumns}
          rows={cluster.endpoints}
          keyOf={({ name }) => name}
        />
      </div>
    </article>
  );
}

const stepColumns: readonly Column<Step>[] = [
  { key: 'step', title: 'Source', cell: ({ step }) => step },
  {
    key: 'state',
    title: 'State',
    cell: ({ active, lastError }) => (active ? 'in use' : (lastError ?? 'in reserve')),
  },
  {
    key: 'retry',
    title: 'Tried again',
    cell: ({ retryAt }) =>
      retryAt === null ? (
        <Unknown reason="it is not waiting" />
      ) : (
        <Time value={retryAt} form="clock" />
      ),
  },
];

const endpointColumns: readonly Column<Endpoint>[] = [
  { key: 'name', title: 'Endpoint', cell: ({ name }) => name },
  {
    key: 'healthy',
    title: 'Healthy',
    cell: ({ healthy, lastError }) => (healthy ? 'yes' : `no${lastError ? `: ${lastError}` : ''}`),
  },
  {
    key: 'slot',
    title: 'Slot',
    isNumber: true,
    cell: ({ slot }) =>
      slot === null ? <Unknown reason="it has not answered" /> : formatCount(slot),
  },
  {
    key: 'calls',
    title: 'Calls a minute',
    hint: 'JSON-RPC calls of this process in the last minute',
    isNumber: true,
    cell: ({ usage }) =>
      usage === null ? (
        <Unknown reason="they are not counted" />
      ) : (
        formatCount(usage.lastMinute.calls)
      ),
  },
  {
    key: 'bytes',
    title: 'Today',
    hint: 'Bytes sent and received since 00:00 UTC or the start of the process',
    isNumber: true,
    cell: ({ usage }) =>
      usage === null ? <Unknown reason="they are not counted" /> : bytesOf(usage.today.bytes),
  },
  {
    key: 'left',
    title: 'Left today',
    hint: 'Bytes that RPC_BUDGET leaves',
    isNumber: true,
    cell: ({ usage }) => {
      const left = usage?.budget?.bytesLeft ?? null;
      return left === null ? <Unknown reason="there is no limit" /> : bytesOf(left);
    },
  },
];

const MEGABYTE = 1_000_000;

const bytesOf = (bytes: number): string => formatAmount(bytes / MEGABYTE, 'MB').short;
