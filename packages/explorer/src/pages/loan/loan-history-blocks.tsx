import { useMemo } from 'preact/hooks';
import type { ObligationHistory } from '../../api/generated/operations.ts';
import { apiRequest, type Resource, useResource } from '../../api/resource.ts';
import { Chart } from '../../charts/chart.tsx';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { RangeTabs, useRange } from '../../components/range.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { eventMarks, ltvHistory, valueHistory } from './loan-history.ts';
import type { LoanResources } from './loan-resources.ts';

const HISTORY_MS = 60_000;
const CHART_HEIGHT = 220;

/** The loan over time, with its events. */
export function LoanHistoryBlocks({ address, market, events }: LoanResources) {
  const range = useRange('loan');
  const history = useResource(
    market === undefined
      ? undefined
      : apiRequest(
          'GET /v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/metrics/history',
          {
            path: { marketPubkey: market, obligationPubkey: address },
            query: { start: range.start },
          },
        ),
    { pollMs: HISTORY_MS },
  );
  const skeleton = <Skeleton height={CHART_HEIGHT + 44} />;
  const shared = { history, events: events.data?.transactions ?? [] };
  return (
    <>
      <Block
        title="LTV over time"
        resources={[history]}
        skeleton={skeleton}
        actions={<RangeTabs range={range} />}
      >
        {(past) => (
          <HistoryChart
            {...shared}
            id="ltv"
            label="LTV of the loan and the LTV at which it can be liquidated, over time"
            past={past}
            toData={ltvHistory}
          />
        )}
      </Block>
      <Block title="Value over time" resources={[history]} skeleton={skeleton}>
        {(past) => (
          <HistoryChart
            {...shared}
            id="loan-value"
            label="Net value, deposits and debt of the loan in dollars over time"
            past={past}
            toData={valueHistory}
          />
        )}
      </Block>
    </>
  );
}

type HistoryChartProps = {
  readonly id: string;
  readonly label: string;
  readonly past: ObligationHistory;
  readonly history: Resource<ObligationHistory>;
  readonly events: Parameters<typeof eventMarks>[0];
  readonly toData: typeof ltvHistory;
};

function HistoryChart({ id, label, past, history, events, toData }: HistoryChartProps) {
  const points = past.history;
  const key = `${points.length} ${points[0]?.timestamp} ${points.at(-1)?.timestamp}`;
  // the first and newest points identify the history
  const data = useMemo(() => toData(points), [key]);
  const marks = useMemo(() => eventMarks(events, data.positions), [data, events.length]);
  if (points.length === 0) {
    return (
      <Empty title="Nothing recorded in this range">
        The loan had no deposit and no debt, or history begins later.
      </Empty>
    );
  }
  return (
    <Chart
      id={id}
      label={label}
      data={data}
      marks={marks}
      gaps={history.freshness.flatMap(({ gaps }) => gaps)}
      height={CHART_HEIGHT}
    />
  );
}
