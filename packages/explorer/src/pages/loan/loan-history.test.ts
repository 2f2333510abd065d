import type { ObligationHistory } from '@tidegate/client';
import { expect, test } from 'vitest';
import { ltvHistory, valueHistory } from './loan-history.ts';

const point = (stats: Readonly<Record<string, string>>) =>
  ({
    timestamp: '2026-01-01T00:00:00.000Z',
    refreshedStats: stats,
  }) as unknown as ObligationHistory['history'][number];

test('both ratios are over all deposits', () => {
  const { series } = ltvHistory([
    point({
      userTotalDeposit: '800',
      userTotalBorrowBorrowFactorAdjusted: '300',
      borrowLiquidationLimit: '500',
    }),
    point({
      userTotalDeposit: '0',
      userTotalBorrowBorrowFactorAdjusted: '1',
      borrowLiquidationLimit: '0',
    }),
  ]);
  expect(series.map(({ values }) => values)).toEqual([
    ['0.375', null],
    ['0.625', null],
  ]);
});

test('values are those of the snapshots', () => {
  const { series } = valueHistory([
    point({ netAccountValue: '5', userTotalDeposit: '8', userTotalBorrow: '3' }),
  ]);
  expect(series.map(({ label, values }) => [label, ...values])).toEqual([
    ['Net value', '5'],
    ['Deposits', '8'],
    ['Debt', '3'],
  ]);
});
