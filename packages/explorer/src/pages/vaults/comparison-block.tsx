import type { ReserveHistory, VaultAllocations, VaultMetricsPoint } from '@tidegate/client';
import { compareDecimals, subtractDecimals } from '@tidegate/client';
import { useMemo } from 'preact/hooks';
import { apiRequest, type Resource, useResource } from '../../api/resource.ts';
import { Chart } from '../../charts/chart.tsx';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Percent } from '../../components/number.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { PageLink } from '../../routing/link.tsx';
import { compareWithLending } from './lending-comparison.ts';

const HISTORY_MS = 60_000;
const CHART_HEIGHT = 220;

type ComparisonProps = {
  readonly allocations: Resource<VaultAllocations>;
  readonly history: Resource<readonly VaultMetricsPoint[]>;
  /** First day, ISO 8601. */
  readonly start: string;
};

type Allocation = VaultAllocations['allocations'][number];

/** What the vault earned, beside a plain deposit in the reserve that has most of its money. */
export function ComparisonBlock({ allocations, history, start }: ComparisonProps) {
  const largest = allocations.data?.allocations
    .toSorted((a, b) => compareDecimals(b.suppliedTokenAmount, a.suppliedTokenAmount))
    .at(0);
  const reserve = useResource(
    largest &&
      apiRequest('GET /svc-market/{marketPubkey}/reserves/{reservePubkey}/metrics/history', {
        path: { marketPubkey: largest.market, reservePubkey: largest.reserve },
        query: { start, frequency: 'day' },
      }),
    { pollMs: HISTORY_MS },
  );
  const title = 'Against simply lending';
  const skeleton = <Skeleton height={CHART_HEIGHT + 96} />;
  if (allocations.data !== undefined && largest === undefined) {
    return (
      <Block title={title} resources={[allocations]} skeleton={skeleton}>
        {() => <Empty title="Nothing to compare with">This vault lends to no reserve.</Empty>}
      </Block>
    );
  }
  return (
    <Block title={title} resources={[allocations, history, reserve]} skeleton={skeleton}>
      {(_, points, past) =>
        largest !== undefined && (
          <Comparison points={points} past={past} largest={largest} reserve={reserve} />
        )
      }
    </Block>
  );
}

type ChartProps = {
  readonly points: readonly VaultMetricsPoint[];
  readonly past: ReserveHistory;
  readonly largest: Allocation;
  readonly reserve: Resource<ReserveHistory>;
};

function Comparison({ points, past, largest, reserve }: ChartProps) {
  const key = `${points.length} ${points.at(-1)?.timestamp} ${past.history.length} ${past.history.at(-1)?.timestamp}`;
  // the newest points identify both histories
  const comparison = useMemo(() => compareWithLending(points, past.history), [key]);
  if (comparison === undefined) {
    return (
      <Empty title="Not enough history">
        The vault and the reserve need two days that both are recorded for.
      </Empty>
    );
  }
  const { data, since, vault, lending } = comparison;
  const difference = subtractDecimals(vault, lending);
  return (
    <>
      <p class="block-body">
        Since <Time value={since} /> one token changed by <Percent value={vault} /> in this vault,
        after its fees, and by <Percent value={lending} /> as a deposit in{' '}
        <PageLink page="reserve" parameters={{ reserve: largest.reserve }}>
          {largest.symbol} in {largest.marketName}
        </PageLink>
        , its largest reserve: the vault is <Percent value={difference.replace('-', '')} />{' '}
        {difference.startsWith('-') ? 'behind' : 'ahead'}. Rewards are not included.
      </p>
      <Chart
        id="comparison"
        label="Growth of one token in the vault and in its largest reserve"
        data={data}
        gaps={reserve.freshness.flatMap(({ gaps }) => gaps)}
        height={CHART_HEIGHT}
      />
    </>
  );
}
