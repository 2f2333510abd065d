import type { ObligationHistory } from '@tidegate/client';
import type { ChartData } from '../../charts/chart-data.ts';
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
