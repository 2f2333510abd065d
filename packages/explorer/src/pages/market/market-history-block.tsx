import { useMemo } from 'preact/hooks';
import type { MarketPoint } from '../../api/generated/operations.ts';
import { apiRequest, type Resource, useResource } from '../../api/resource.ts';
import { Chart } from '../../charts/chart.tsx';
import type { ChartData } from '../../charts/chart-data.ts';
import { ChartSkeleton } from '../../charts/chart-skeleton.tsx';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { type Range, RangeTabs, useRange } from '../../components/range.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { subtract } from '../../format/decimal.ts';
import { choice } from '../../routing/location.ts';

const POLL_MS = 60_000;
const HEIGHT = 260;

export type MarketHistory = {
  readonly points: Resource<readonly MarketPoint[]>;
  readonly range: Range;
};

export function useMarketHistory(pubkey: string): MarketHistory {
  const range = useRange('history');
  const points = useResource(
    apiRequest('GET /svc-market/{pubkey}/metrics/history', {
      path: { pubkey },
      query: { start: range.start },
    }),
    { pollMs: POLL_MS },
  );
  return { points, range };
}

const views = [
  { value: 'value', title: 'Value' },
  { value: 'loans', title: 'Loans' },
] as const;

export function MarketHistoryBlock({ history }: { readonly history: MarketHistory }) {
  const { points, range } = history;
  const view = choice('history.view', ['value', 'loans']);
  const gaps = points.freshness.flatMap((each) => each.gaps);
  const data = useMemo(() => chartOf(points.data ?? [], view.value), [points.data, view.value]);
  return (
    <Block
      title="History"
      resources={[points]}
      skeleton={<ChartSkeleton height={HEIGHT} />}
      actions={
        <div class="chart-actions">
          <Tabs label="Figure" tabs={views} value={view.value} onChange={view.set} />
          <RangeTabs range={range} />
        </div>
      }
    >
      {(list) =>
        list.length === 0 ? (
          <Empty title="Nothing recorded in this range" />
        ) : (
          <Chart
            id="history"
            label={view.value === 'value' ? 'Supplied and borrowed over time' : 'Loans over time'}
            data={data}
            isStacked={view.value === 'value'}
            gaps={gaps}
            height={HEIGHT}
          />
        )
      }
    </Block>
  );
}

function chartOf(points: readonly MarketPoint[], view: 'value' | 'loans'): ChartData {
  const positions = points.map(({ timestamp }) => Date.parse(timestamp));
  if (view === 'loans') {
    const values = points.map(({ metrics }) => metrics.obligations);
    return {
      positions,
      unit: 'number',
      series: [{ label: 'Loans', color: 1, values, isArea: true }],
    };
  }
  const borrowed = points.map(({ metrics }) => metrics.borrowTVL);
  const rest = points.map(({ metrics }) => subtract(metrics.depositTVL, metrics.borrowTVL));
  return {
    positions,
    unit: 'usd',
    series: [
      { label: 'Borrowed', color: 2, values: borrowed },
      { label: 'Not borrowed', color: 1, values: rest },
    ],
  };
}
