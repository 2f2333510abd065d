import type { ReserveSnapshot } from '@tidegate/client';
import { useMemo } from 'preact/hooks';
import type { ListedReserve } from '../../api/directory.ts';
import { apiRequest, useResource } from '../../api/resource.ts';
import { ChartBlock, useViews } from '../../charts/chart-block.tsx';
import type { ChartData } from '../../charts/chart-data.ts';
import { useRange } from '../../components/range.tsx';

const POLL_MS = 60_000;
const HEIGHT = 260;
/** Longer ranges have one point per day. */
const MAX_HOURLY_DAYS = 30;

const tabs = [
  { value: 'rates', title: 'Rates' },
  { value: 'utilization', title: 'Utilization' },
  { value: 'size', title: 'Size' },
  { value: 'price', title: 'Price' },
] as const;

type View = (typeof tabs)[number]['value'];

export function ReserveHistoryBlock({ reserve }: { readonly reserve: ListedReserve }) {
  const range = useRange('history');
  const views = useViews('history', tabs);
  const history = useResource(
    apiRequest('GET /svc-market/{marketPubkey}/reserves/{reservePubkey}/metrics/history', {
      path: { marketPubkey: reserve.market.lendingMarket, reservePubkey: reserve.reserve },
      query: { start: range.start, frequency: range.days > MAX_HOURLY_DAYS ? 'day' : 'hour' },
    }),
    { pollMs: POLL_MS },
  );
  const points = history.data?.history;
  const data = useMemo(() => chartOf(points ?? [], views.value), [points, views.value]);
  return (
    <ChartBlock
      id="history"
      title="History"
      label={`${views.title} of ${reserve.liquidityToken} over time`}
      resources={[history]}
      data={data}
      range={range}
      views={views}
      height={HEIGHT}
    />
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
