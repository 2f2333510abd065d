import { expect, test } from 'vitest';
import type { ObligationHistory } from '../../api/generated/operations.ts';
import { eventMarks, ltvHistory, valueHistory } from './loan-history.ts';

const DAYS = [1, 2, 3].map((day) => Date.UTC(2026, 0, day));
const noon = (day: number): number => Date.UTC(2026, 0, day, 12);

const event = (timestamp: number, transactionDisplayName: string) => ({
  timestamp,
  transactionDisplayName,
});

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

test('events are marked at the first position that includes them', () => {
  // newest first, as the API has them
  const events = [event(noon(3), 'Repay'), event(noon(1), 'Borrow'), event(noon(1), 'Deposit')];
  expect(eventMarks(events, DAYS)).toEqual([
    { at: DAYS[2], label: 'Repay', tone: 'accent' },
    { at: DAYS[1], label: 'Deposit, Borrow', tone: 'accent' },
  ]);
});

test('a liquidation is a danger, and events before the chart are left out', () => {
  const events = [event(noon(1), 'Liquidation Repay'), event(Date.UTC(2025, 11, 31), 'Deposit')];
  expect(eventMarks(events, DAYS)).toEqual([
    { at: DAYS[1], label: 'Liquidation Repay', tone: 'danger' },
  ]);
});

test('of many events only liquidations are marked', () => {
  const many = Array.from({ length: 41 }, () => event(noon(1), 'Deposit'));
  expect(eventMarks([event(noon(2), 'Liquidation Repay'), ...many], DAYS)).toEqual([
    { at: DAYS[2], label: 'Liquidation Repay', tone: 'danger' },
  ]);
});
