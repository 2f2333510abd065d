import type { LendTxWithObligation } from '@tidegate/client';
import { useMemo } from 'preact/hooks';
import { apiRequest, useResource } from '../../api/resource.ts';
import { ChartBlock } from '../../charts/chart-block.tsx';
import { eventMarks } from '../../charts/event-marks.ts';
import { useRange } from '../../components/range.tsx';
import { ltvHistory, valueHistory } from './loan-history.ts';
import type { LoanResources } from './loan-resources.ts';

const HISTORY_MS = 60_000;
const CHART_HEIGHT = 220;
const EMPTY = 'The loan had no deposit and no debt, or history begins later.';

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
  const points = history.data?.history ?? [];
  const key = `${points.length} ${points[0]?.timestamp} ${points.at(-1)?.timestamp}`;
  const list = events.data?.transactions ?? [];
  // the first and newest points identify the history
  const { ltv, value, marks } = useMemo(() => {
    const chart = ltvHistory(points);
    return {
      ltv: chart,
      value: valueHistory(points),
      marks: eventMarks(list.map(toChartEvent), chart.positions),
    };
  }, [key, list.length]);
  const shared = { resources: [history], marks, height: CHART_HEIGHT, empty: EMPTY };
  return (
    <>
      <ChartBlock
        {...shared}
        id="ltv"
        title="LTV over time"
        label="LTV of the loan and the LTV at which it can be liquidated, over time"
        data={ltv}
        range={range}
      />
      <ChartBlock
        {...shared}
        id="loan-value"
        title="Value over time"
        label="Net value, deposits and debt of the loan in dollars over time"
        data={value}
      />
    </>
  );
}

type LoanEvent = Pick<LendTxWithObligation, 'timestamp' | 'transactionDisplayName'>;

const toChartEvent = ({ timestamp, transactionDisplayName }: LoanEvent) => ({
  time: timestamp,
  label: transactionDisplayName,
});
