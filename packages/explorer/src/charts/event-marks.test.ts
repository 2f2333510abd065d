import { expect, test } from 'vitest';
import { type ChartEvent, eventMarks } from './event-marks.ts';

const DAYS = [1, 2, 3].map((day) => Date.UTC(2026, 0, day));
const noon = (day: number): number => Date.UTC(2026, 0, day, 12);
const event = (time: number, label: string): ChartEvent => ({ time, label });

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
