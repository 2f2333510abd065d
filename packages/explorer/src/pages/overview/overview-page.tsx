import { useMemo } from 'preact/hooks';
import { LIVE_MS, useListedMarkets, useVaults } from '../../api/directory.ts';
import type { VaultMetricsRow } from '../../api/generated/operations.ts';
import {
  apiRequest,
  combineResources,
  mapResource,
  type Resource,
  useResource,
  useResources,
} from '../../api/resource.ts';
import { Chart } from '../../charts/chart.tsx';
import { ChartSkeleton } from '../../charts/chart-skeleton.tsx';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Amount, Usd } from '../../components/number.tsx';
import { RangeTabs, useRange } from '../../components/range.tsx';
import { StatsSkeleton } from '../../components/skeleton.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { sum } from '../../format/decimal.ts';
import { totalValue } from '../../vaults/vault-columns.tsx';
import { listVaults, useAllocations, VaultList } from '../../vaults/vault-list.tsx';
import { combineHistories, countLoans } from './combined-history.ts';
import { LiveBlock } from './live-block.tsx';
import { allTotals } from './market-totals.ts';
import { MarketsBlock } from './markets-block.tsx';

const HISTORY_MS = 60_000;
const CHART_HEIGHT = 280;

/** Totals, their history, markets, vaults, and what happens now. */
export function OverviewPage() {
  const markets = useListedMarkets();
  const vaults = useVaults();
  const metrics: Resource<readonly VaultMetricsRow[]> = mapResource(
    useResource(apiRequest('GET /kvaults/vaults/metrics'), { pollMs: LIVE_MS }),
    ({ result }) => result,
  );
  const range = useRange('totals');
  const addresses = markets.data?.map(({ lendingMarket }) => lendingMarket);
  const histories = useHistories(addresses, range.start);
  const rows = listVaults(metrics, {
    vaults: vaults.data ?? [],
    reserves: markets.data?.flatMap((market) => market.reserves ?? []) ?? [],
    allocations: useAllocations(metrics.data),
  });
  return (
    <div class="page">
      <h1 class="visually-hidden">Overview</h1>
      <Block
        title="Totals"
        resources={[markets]}
        skeleton={<StatsSkeleton labels={['Supplied', 'Borrowed', 'Earn', 'Loans']} />}
      >
        {(list) => (
          <Stats>
            <Stat label="Supplied" hint="Deposits in all reserves of listed markets">
              <Usd value={allTotals(list).supplied} />
            </Stat>
            <Stat label="Borrowed" hint="Debt in all reserves of listed markets">
              <Usd value={allTotals(list).borrowed} />
            </Stat>
            <Stat label="Earn" hint="Value of all vaults. What they lend is also in Supplied">
              <Usd
                value={metrics.data && sum(metrics.data.map(totalValue))}
                reason={metrics.error?.message ?? 'loading'}
              />
            </Stat>
            <Stat label="Loans" hint="Loans with a deposit or a debt">
              <Amount
                value={histories.data && countLoans(histories.data)}
                reason={histories.error?.message ?? 'loading'}
              />
            </Stat>
          </Stats>
        )}
      </Block>
      <Block
        title="Supplied and borrowed"
        resources={[histories]}
        skeleton={<ChartSkeleton height={CHART_HEIGHT} />}
        actions={<RangeTabs range={range} />}
      >
        {(points) => <TotalsChart histories={points} resource={histories} />}
      </Block>
      <MarketsBlock markets={markets} />
      <VaultList metrics={metrics} vaults={vaults} rows={rows} />
      <LiveBlock markets={markets.data} vaults={vaults.data} />
    </div>
  );
}

type History = Parameters<typeof combineHistories>[0][number];

function useHistories(
  addresses: readonly string[] | undefined,
  start: string,
): Resource<readonly (History | undefined)[]> {
  const requests = (addresses ?? []).map((pubkey) =>
    apiRequest('GET /svc-market/{pubkey}/metrics/history', { path: { pubkey }, query: { start } }),
  );
  const combined = combineResources(useResources(requests, { pollMs: HISTORY_MS }));
  return addresses === undefined ? { ...combined, data: undefined } : combined;
}

type TotalsChartProps = {
  readonly histories: readonly (History | undefined)[];
  readonly resource: Resource<unknown>;
};

function TotalsChart({ histories, resource }: TotalsChartProps) {
  const known = histories.filter((points) => points !== undefined);
  const key = known.map((points) => `${points.length} ${points.at(-1)?.timestamp}`).join();
  // the newest points identify the histories
  const data = useMemo(() => combineHistories(known), [key]);
  const gaps = resource.freshness.flatMap((each) => each.gaps);
  if (data.positions.length === 0) {
    return (
      <Empty title="Nothing recorded in this range">
        History begins when the server starts to record.
      </Empty>
    );
  }
  return (
    <Chart
      id="totals"
      label="Supplied and borrowed in dollars over time"
      data={data}
      isStacked
      gaps={gaps}
      height={CHART_HEIGHT}
    />
  );
}
