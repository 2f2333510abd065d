import type { MarketPoint } from '@tidegate/client';
import { subtractDecimals } from '@tidegate/client';
import { useMemo } from 'preact/hooks';
import { apiRequest, type Resource, useResource } from '../../api/resource.ts';
import { ChartBlock, useViews } from '../../charts/chart-block.tsx';
import type { ChartData } from '../../charts/chart-data.ts';
import { type Range, useRange } from '../../components/range.tsx';

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

const tabs = [
  { value: 'value', title: 'Value' },
  { value: 'loans', title: 'Loans' },
] as const;

export function MarketHistoryBlock({ history }: { readonly history: MarketHistory }) {
  const { points, range } = history;
  const views = useViews('history', tabs);
  const isValue = views.value === 'value';
  const data = useMemo(() => chartOf(points.data ?? [], views.value), [points.data, views.value]);
  return (
    <ChartBlock
      id="history"
      title="History"
      label={isValue ? 'Supplied and borrowed over time' : 'Loans over time'}
      resources={[points]}
      data={data}
      isStacked={isValue}
      range={range}
      views={views}
      height={HEIGHT}
    />
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
  const rest = points.map(({ metrics }) => subtractDecimals(metrics.depositTVL, metrics.borrowTVL));
  return {
    positions,
    unit: 'usd',
    series: [
      { label: 'Borrowed', color: 2, values: borrowed },
      { label: 'Not borrowed', color: 1, values: rest },
    ],
  };
}
