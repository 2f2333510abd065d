import { useMemo } from 'preact/hooks';
import type { VaultAllocations, VaultMetricsPoint } from '../../api/generated/operations.ts';
import { apiRequest, type Resource, useResource } from '../../api/resource.ts';
import { Chart } from '../../charts/chart.tsx';
import type { ChartData } from '../../charts/chart-data.ts';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { RangeTabs, useRange } from '../../components/range.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { shortenAddress } from '../../format/address.ts';
import { allocationHistory } from './allocation-history.ts';
import { ComparisonBlock } from './comparison-block.tsx';
import type { VaultResources } from './vault-resources.ts';

const HISTORY_MS = 60_000;
const CHART_HEIGHT = 260;
const SMALL_HEIGHT = 220;

/** The vault over time: allocation, share price, and the comparison with lending. */
export function HistoryBlocks(resources: VaultResources) {
  const { address, allocations, reserves } = resources;
  const range = useRange('vault');
  const history = useResource(
    apiRequest('GET /kvaults/vaults/{pubkey}/metrics/history', {
      path: { pubkey: address },
      query: { start: range.start },
    }),
    { pollMs: HISTORY_MS },
  );
  const names = namesOf(allocations.data, reserves);
  return (
    <>
      <Block
        title="Allocation"
        resources={[history]}
        skeleton={<Skeleton height={CHART_HEIGHT + 44} />}
        actions={<RangeTabs range={range} />}
      >
        {(points) => <AllocationChart points={points} history={history} names={names} />}
      </Block>
      <Block
        title="Share price"
        resources={[history]}
        skeleton={<Skeleton height={SMALL_HEIGHT + 44} />}
      >
        {(points) => <SharePriceChart points={points} history={history} />}
      </Block>
      <ComparisonBlock allocations={allocations} history={history} start={range.start} />
    </>
  );
}

/** Names of reserves by address: the market, since all reserves of a vault are of one token. */
function namesOf(
  allocations: VaultAllocations | undefined,
  reserves: VaultResources['reserves'],
): ReadonlyMap<string, string> {
  const listed = reserves.map(({ reserve, market }) => [reserve, market.name] as const);
  const own = (allocations?.allocations ?? []).map(
    ({ reserve, marketName }) => [reserve, marketName] as const,
  );
  return new Map([...listed, ...own]);
}

type HistoryProps = {
  readonly points: readonly VaultMetricsPoint[];
  readonly history: Resource<readonly VaultMetricsPoint[]>;
};

const keyOf = (points: readonly VaultMetricsPoint[]): string =>
  `${points.length} ${points[0]?.timestamp} ${points.at(-1)?.timestamp}`;

const gapsOf = ({ freshness }: HistoryProps['history']) => freshness.flatMap(({ gaps }) => gaps);

const NothingRecorded = () => (
  <Empty title="Nothing recorded in this range">
    History begins when the server starts to record.
  </Empty>
);

function AllocationChart({
  points,
  history,
  names,
}: HistoryProps & { readonly names: ReadonlyMap<string, string> }) {
  const labels = uniqueLabels(points, names);
  const key = `${keyOf(points)} ${[...labels.values()].join()}`;
  // the newest point identifies the history
  const data = useMemo(
    () => allocationHistory(points, (reserve) => labels.get(reserve) ?? shortenAddress(reserve)),
    [key],
  );
  if (points.length === 0) return <NothingRecorded />;
  return (
    <Chart
      id="vault"
      label="Value of the vault in dollars over time, by reserve"
      data={data}
      isStacked
      gaps={gapsOf(history)}
      height={CHART_HEIGHT}
    />
  );
}

/** A label is used once: two reserves in one market have their addresses beside it. */
function uniqueLabels(
  points: readonly VaultMetricsPoint[],
  names: ReadonlyMap<string, string>,
): Map<string, string> {
  const reserves = [
    ...new Set(points.flatMap((point) => point.reserves.map(({ pubkey }) => pubkey))),
  ];
  const counts = new Map<string, number>();
  for (const reserve of reserves) {
    const name = names.get(reserve) ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Map(
    reserves.map((reserve) => {
      const name = names.get(reserve);
      if (name === undefined) return [reserve, shortenAddress(reserve)];
      return [reserve, counts.get(name) === 1 ? name : `${name} ${shortenAddress(reserve)}`];
    }),
  );
}

function SharePriceChart({ points, history }: HistoryProps) {
  // the newest point identifies the history
  const data = useMemo<ChartData>(
    () => ({
      positions: points.map(({ timestamp }) => Date.parse(timestamp)),
      unit: 'usd',
      series: [{ label: 'Share', color: 1, values: points.map(({ sharePrice }) => sharePrice) }],
    }),
    [keyOf(points)],
  );
  if (points.length === 0) return <NothingRecorded />;
  return (
    <Chart
      id="share"
      label="Dollars per share over time"
      data={data}
      gaps={gapsOf(history)}
      height={SMALL_HEIGHT}
    />
  );
}
