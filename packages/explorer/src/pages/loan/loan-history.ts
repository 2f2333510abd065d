import type { LendTxWithObligation, ObligationHistory } from '../../api/generated/operations.ts';
import type { ChartData, ChartMark } from '../../charts/chart-data.ts';
import { divide } from '../../format/decimal.ts';

type Snapshot = ObligationHistory['history'][number];

/** Deposits, debt and net value over time. */
export const valueHistory = (points: readonly Snapshot[]): ChartData => ({
  positions: positionsOf(points),
  unit: 'usd',
  series: [
    {
      label: 'Net value',
      color: 1,
      values: points.map(({ refreshedStats }) => refreshedStats.netAccountValue),
    },
    {
      label: 'Deposits',
      color: 3,
      values: points.map(({ refreshedStats }) => refreshedStats.userTotalDeposit),
    },
    {
      label: 'Debt',
      color: 2,
      values: points.map(({ refreshedStats }) => refreshedStats.userTotalBorrow),
    },
  ],
});

/** LTV and the LTV at which the loan could be liquidated, both over all deposits, as the loan report has them. */
export const ltvHistory = (points: readonly Snapshot[]): ChartData => ({
  positions: positionsOf(points),
  unit: 'percent',
  series: [
    {
      label: 'LTV',
      color: 1,
      values: points.map(
        ({ refreshedStats: { userTotalBorrowBorrowFactorAdjusted, userTotalDeposit } }) =>
          divide(userTotalBorrowBorrowFactorAdjusted, userTotalDeposit) ?? null,
      ),
    },
    {
      label: 'Liquidation',
      color: 4,
      values: points.map(
        ({ refreshedStats: { borrowLiquidationLimit, userTotalDeposit } }) =>
          divide(borrowLiquidationLimit, userTotalDeposit) ?? null,
      ),
    },
  ],
});

const positionsOf = (points: readonly Snapshot[]): number[] =>
  points.map(({ timestamp }) => Date.parse(timestamp));

type LoanEvent = Pick<LendTxWithObligation, 'timestamp' | 'transactionDisplayName'>;

export const isLiquidation = ({ transactionDisplayName }: LoanEvent): boolean =>
  transactionDisplayName.startsWith('Liquidation');

/** With more events than this, only liquidations are marked. */
const MAX_MARKS = 40;

/** Events as marks at the first position that includes them, one mark per position. */
export function eventMarks(
  events: readonly LoanEvent[],
  positions: readonly number[],
): ChartMark[] {
  const [first] = positions;
  const shown = events.filter(
    (event) =>
      first !== undefined &&
      event.timestamp >= first &&
      (events.length <= MAX_MARKS || isLiquidation(event)),
  );
  const byPosition = new Map<number, LoanEvent[]>();
  for (const event of shown) {
    const at = positions.find((position) => position >= event.timestamp) ?? positions.at(-1) ?? 0;
    byPosition.set(at, [event, ...(byPosition.get(at) ?? [])]);
  }
  return [...byPosition].map(([at, list]) => ({
    at,
    label: [...new Set(list.map(({ transactionDisplayName }) => transactionDisplayName))].join(
      ', ',
    ),
    tone: list.some(isLiquidation) ? 'danger' : 'accent',
  }));
}
