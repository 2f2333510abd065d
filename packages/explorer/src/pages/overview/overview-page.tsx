import type { VaultMetricsRow } from '@tidegate/client';
import { useMemo } from 'preact/hooks';
import { LIVE_MS, useListedMarkets, useMarkets, useVaults } from '../../api/directory.ts';
import {
  apiRequest,
  combineResources,
  mapResource,
  type Resource,
  useResource,
  useResources,
} from '../../api/resource.ts';
import { ChartBlock } from '../../charts/chart-block.tsx';
import { Block } from '../../components/block.tsx';
import { Amount, Usd } from '../../components/number.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { useRange } from '../../components/range.tsx';
import { StatsSkeleton } from '../../components/skeleton.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { sum } from '../../format/decimal.ts';
import { totalValue } from '../../vaults/vault-figures.ts';
import { listVaults, useAllocations, VaultList } from '../../vaults/vault-list.tsx';
import { combineHistories, countLoans } from './combined-history.ts';
import { DemoLinks } from './demo-links.tsx';
import { LiveBlock } from './live-block.tsx';
import { allTotals } from './market-totals.ts';
import { MarketsBlock } from './markets-block.tsx';
import { OwnPositionsBlock } from './own-positions-block.tsx';

const HISTORY_MS = 60_000;
const CHART_HEIGHT = 280;

/** Totals, their history, markets, vaults, and what happens now. Each block renders when its own data changes. */
export const OverviewPage = () => (
  <div class="page">
    <PageTitle title="Overview" class="visually-hidden" />
    <TotalsBlock />
    <OwnPositionsBlock />
    <TotalsHistoryBlock />
    <MarketsBlock />
    <VaultsBlock />
    <LiveBlock />
  </div>
);

const useVaultMetrics = (): Resource<readonly VaultMetricsRow[]> =>
  mapResource(
    useResource(apiRequest('GET /kvaults/vaults/metrics'), { pollMs: LIVE_MS }),
    ({ result }) => result,
  );

function TotalsBlock() {
  const markets = useListedMarkets();
  const metrics = useVaultMetrics();
  const histories = useHistories(useRange('totals').start);
  return (
    <Block
      title="Totals"
      resources={[markets]}
      actions={<DemoLinks />}
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
  );
}

function VaultsBlock() {
  const markets = useListedMarkets();
  const vaults = useVaults();
  const metrics = useVaultMetrics();
  const rows = listVaults(metrics, {
    vaults: vaults.data ?? [],
    reserves: markets.data?.flatMap((market) => market.reserves ?? []) ?? [],
    allocations: useAllocations(metrics.data),
  });
  return <VaultList metrics={metrics} vaults={vaults} rows={rows} />;
}

type History = Parameters<typeof combineHistories>[0][number];

/** Of all listed markets. Does not wait for their reserves. */
function useHistories(start: string): Resource<readonly (History | undefined)[]> {
  const { data: markets } = useMarkets();
  const requests = (markets ?? []).map(({ lendingMarket }) =>
    apiRequest('GET /svc-market/{pubkey}/metrics/history', {
      path: { pubkey: lendingMarket },
      query: { start },
    }),
  );
  const combined = combineResources(useResources(requests, { pollMs: HISTORY_MS }));
  return markets === undefined ? { ...combined, data: undefined } : combined;
}

function TotalsHistoryBlock() {
  const range = useRange('totals');
  const histories = useHistories(range.start);
  const known = (histories.data ?? []).filter((points) => points !== undefined);
  const key = known.map((points) => `${points.length} ${points.at(-1)?.timestamp}`).join();
  // the newest points identify the histories
  const data = useMemo(() => combineHistories(known), [key]);
  return (
    <ChartBlock
      id="totals"
      title="Supplied and borrowed"
      label="Supplied and borrowed in dollars over time"
      resources={[histories]}
      data={data}
      isStacked
      range={range}
      height={CHART_HEIGHT}
    />
  );
}
