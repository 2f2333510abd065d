import { useMemo } from 'preact/hooks';
import type { ListedReserve } from '../../api/directory.ts';
import type { ReserveSnapshot } from '../../api/generated/operations.ts';
import { apiRequest, useResource } from '../../api/resource.ts';
import { Chart } from '../../charts/chart.tsx';
import type { ChartData } from '../../charts/chart-data.ts';
import { ChartSkeleton } from '../../charts/chart-skeleton.tsx';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { RangeTabs, useRange } from '../../components/range.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { choice } from '../../routing/location.ts';

const POLL_MS = 60_000;
const HEIGHT = 260;
/** Longer ranges have one point per day. */
const MAX_HOURLY_DAYS = 30;

const views = [
  { value: 'rates', title: 'Rates' },
  { value: 'utilization', title: 'Utilization' },
  { value: 'size', title: 'Size' },
  { value: 'price', title: 'Price' },
] as const;

type View = (typeof views)[number]['value'];

export function ReserveHistoryBlock({ reserve }: { readonly reserve: ListedReserve }) {
  const range = useRange('history');
  const view = choice<View>(
    'history.view',
    views.map(({ value }) => value),
  );
  const history = useResource(
    apiRequest('GET /svc-market/{marketPubkey}/reserves/{reservePubkey}/metrics/history', {
      path: { marketPubkey: reserve.market.lendingMarket, reservePubkey: reserve.reserve },
      query: { start: range.start, frequency: range.days > MAX_HOURLY_DAYS ? 'day' : 'hour' },
    }),
    { pollMs: POLL_MS },
  );
  const points = history.data?.history;
  const data = useMemo(() => chartOf(points ?? [], view.value), [points, view.value]);
  return (
    <Block
      title="History"
      resources={[history]}
      skeleton={<ChartSkeleton height={HEIGHT} />}
      actions={
        <div class="chart-actions">
          <Tabs label="Figure" tabs={views} value={view.value} onChange={view.set} />
          <RangeTabs range={range} />
        </div>
      }
    >
      {({ history: list }) =>
        list.length === 0 ? (
          <Empty title="Nothing recorded in this range" />
        ) : (
          <Chart
            id="history"
            label={`${views.find(({ value }) => value === view.value)?.title} of ${reserve.liquidityToken} over time`}
            data={data}
            gaps={history.freshness.flatMap((each) => each.gaps)}
            height={HEIGHT}
          />
        )
      }
    </Block>
  );
}

function chartOf(points: readonly ReserveSnapshot[], view: View): ChartData {
  const positions = points.map(({ timestamp }) => Date.parse(timestamp));
  const column = <Value,>(value: (metrics: ReserveSnapshot['metrics']) => Value): Value[] =>
    points.map(({ metrics }) => value(metrics));
  switch (view) {
    case 'rates':
      return {
        positions,
        unit: 'percent',
        series: [
          { label: 'Borrow APY', color: 2, values: column((each) => each.borrowInterestAPY) },
          { label: 'Supply APY', color: 1, values: column((each) => each.supplyInterestAPY) },
        ],
      };
    case 'utilization':
      return {
        positions,
        unit: 'percent',
        series: [
          {
            label: 'Utilization',
            color: 1,
            values: column((each) => each.utilizationRatio ?? null),
            isArea: true,
          },
        ],
      };
    case 'size':
      return {
        positions,
        unit: 'usd',
        series: [
          { label: 'Supplied', color: 1, values: column((each) => each.depositTvl), isArea: true },
          { label: 'Borrowed', color: 2, values: column((each) => each.borrowTvl), isArea: true },
        ],
      };
    case 'price':
      return {
        positions,
        unit: 'price',
        series: [
          { label: 'Price', color: 1, values: column((each) => each.assetOraclePriceUSD ?? null) },
        ],
      };
  }
}
