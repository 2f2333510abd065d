import type { ReserveSnapshotMetrics } from '@tidegate/client';
import { useMemo } from 'preact/hooks';
import type { ListedReserve } from '../../api/directory.ts';
import type { Resource } from '../../api/resource.ts';
import { Chart } from '../../charts/chart.tsx';
import { ChartSkeleton } from '../../charts/chart-skeleton.tsx';
import { Block } from '../../components/block.tsx';
import { Percent } from '../../components/number.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { query, setQuery } from '../../routing/location.ts';
import { curvePoints, rateAt, utilizationAfter } from './borrow-curve.ts';
import { CURVE_NOTES, type InterestRateBasis } from './interest-rate-basis.ts';

const HEIGHT = 380;

type CurveBlockProps = {
  readonly reserve: ListedReserve;
  readonly current: Resource<ReserveSnapshotMetrics>;
  readonly basis: InterestRateBasis | undefined;
};

/** The borrow curve with today's point, and what a deposit would do to it. */
export const CurveBlock = ({ reserve, current, basis }: CurveBlockProps) => (
  <Block
    title="Borrow rate by utilization"
    resources={[current]}
    skeleton={
      <>
        <ChartSkeleton height={HEIGHT} />
        <Skeleton height={140} />
      </>
    }
  >
    {(metrics) => <Curve reserve={reserve} metrics={metrics} basis={basis} />}
  </Block>
);

type CurveProps = Pick<CurveBlockProps, 'reserve' | 'basis'> & {
  readonly metrics: ReserveSnapshotMetrics;
};

function Curve({ reserve, metrics, basis }: CurveProps) {
  const { borrowCurve, utilizationRatio: today = 0, symbol } = metrics;
  const deposit = query.value.get('deposit') ?? '';
  const amount = Math.max(0, Number(deposit) || 0);
  const after = utilizationAfter(Number(reserve.totalSupply), Number(reserve.totalBorrow), amount);
  const key = JSON.stringify([borrowCurve, today, after, amount]);
  // the key has everything that the chart shows
  const { data, marks, at } = useMemo(() => {
    const shown = amount > 0 ? [today, after] : [today];
    const { positions, rates } = curvePoints(borrowCurve, shown);
    return {
      at: positions.indexOf(today),
      data: {
        positions,
        unit: 'percent' as const,
        series: [{ label: 'Rate', color: 1, values: rates, isArea: true }],
      },
      marks: [
        { at: today, label: 'today', tone: 'accent' as const },
        ...(amount > 0 ? [{ at: after, label: 'after', tone: 'danger' as const }] : []),
      ],
    };
  }, [key]);
  return (
    <>
      <Chart
        id="curve"
        label="Borrow rate by utilization"
        axis="Utilization"
        data={data}
        marks={marks}
        restIndex={at}
        height={HEIGHT}
      />
      <div class="block-body curve-form">
        <label>
          A deposit of{' '}
          <input
            class="input"
            inputMode="decimal"
            size={10}
            value={deposit}
            placeholder="0"
            aria-label={`Deposit in ${symbol}`}
            onInput={({ currentTarget }) =>
              setQuery({ deposit: currentTarget.value === '' ? undefined : currentTarget.value })
            }
          />{' '}
          {symbol}
        </label>
        <p class="curve-result">
          {amount === 0 ? (
            'Enter an amount to see what it does to the rate.'
          ) : (
            <>
              moves the utilization from <Percent value={today} /> to <Percent value={after} /> and
              the rate from <Percent value={rateAt(borrowCurve, today)} /> to{' '}
              <Percent value={rateAt(borrowCurve, after)} />.
            </>
          )}
        </p>
        <p class="weak small curve-note">{basis === undefined ? '' : CURVE_NOTES[basis]}</p>
      </div>
    </>
  );
}
