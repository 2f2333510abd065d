import { useMemo } from 'preact/hooks';
import type { NetValuePoint, UserEarnTotalsPoint } from '../../api/generated/operations.ts';
import { apiRequest, type Resource, useResource } from '../../api/resource.ts';
import { Chart } from '../../charts/chart.tsx';
import type { ChartData } from '../../charts/chart-data.ts';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { RangeTabs, useRange } from '../../components/range.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { WalletResources } from './wallet-resources.ts';
import { interestChart, isStackable, netValueChart } from './wallet-totals.ts';

const HISTORY_MS = 600_000;
const CHART_HEIGHT = 220;

type HistoryPoint = { readonly createdOn: string };

/** The value of the wallet over time. */
export function NetValueBlock({ address }: WalletResources) {
  const range = useRange('wallet');
  const history = useResource(
    apiRequest('GET /owners/{pubkey}/net-values/history', {
      path: { pubkey: address },
      query: { start: range.start },
    }),
    { pollMs: HISTORY_MS },
  );
  return (
    <Block
      title="Value over time"
      resources={[history]}
      skeleton={<Skeleton height={CHART_HEIGHT + 44} />}
      actions={<RangeTabs range={range} />}
    >
      {(points) => (
        <HistoryChart<NetValuePoint>
          id="wallet"
          label="Value of the wallet's vault shares and loans in dollars over time"
          points={points}
          history={history}
          toData={netValueChart}
          empty="The wallet had no loans and no vault shares in this range."
        />
      )}
    </Block>
  );
}

/** What the vaults of the wallet earned, over time. */
export function InterestBlock({ address }: WalletResources) {
  const range = useRange('earned');
  const history = useResource(
    apiRequest('GET /kvaults/users/{pubkey}/metrics/history', {
      path: { pubkey: address },
      query: { start: range.start },
    }),
    { pollMs: HISTORY_MS },
  );
  return (
    <Block
      title="Earned in vaults over time"
      resources={[history]}
      skeleton={<Skeleton height={CHART_HEIGHT + 44} />}
      actions={<RangeTabs range={range} />}
    >
      {(points) => (
        <HistoryChart<UserEarnTotalsPoint>
          id="earned"
          label="Interest that the wallet earned in vaults in dollars over time"
          points={points}
          history={history}
          toData={interestChart}
          empty="The wallet had no vault shares in this range."
        />
      )}
    </Block>
  );
}

type HistoryChartProps<Point> = {
  readonly id: string;
  readonly label: string;
  readonly points: readonly Point[];
  readonly history: Resource<readonly Point[]>;
  readonly toData: (points: readonly Point[]) => ChartData;
  /** What it means that there are no points. */
  readonly empty: string;
};

function HistoryChart<Point extends HistoryPoint>(props: HistoryChartProps<Point>) {
  const { id, label, points, history, toData, empty } = props;
  const key = `${points.length} ${points[0]?.createdOn} ${points.at(-1)?.createdOn}`;
  // the first and newest points identify the history
  const data = useMemo(() => toData(points), [key]);
  if (points.length === 0) return <Empty title="Nothing in this range">{empty}</Empty>;
  return (
    <Chart
      id={id}
      label={label}
      data={data}
      isStacked={data.series.length > 1 && isStackable(data)}
      gaps={history.freshness.flatMap(({ gaps }) => gaps)}
      height={CHART_HEIGHT}
    />
  );
}
