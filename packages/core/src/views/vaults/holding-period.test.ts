import { expect, test } from 'vitest';
import { toSlot } from '../../base/time.ts';
import {
  countClosedTrades,
  isInCurrentHoldingPeriod,
  type ShareBalanceChange,
  type ShareBalanceTrade,
} from './holding-period.ts';

const change = (slot: bigint, held: bigint, staked = 0n): ShareBalanceChange => ({
  slot: toSlot(slot),
  held,
  staked,
});

const current = (
  changes: readonly ShareBalanceChange[],
  slots: readonly bigint[],
): readonly boolean[] => slots.map((slot) => isInCurrentHoldingPeriod(changes)(toSlot(slot)));

test('a holding that was never empty has been current from its start', () => {
  expect(current([change(5n, 1n), change(7n, 0n, 1n)], [1n, 5n, 9n])).toEqual([true, true, true]);
});

test('slots after the last empty one are current', () => {
  const changes = [change(1n, 5n), change(3n, 0n), change(4n, 2n), change(6n, 0n), change(8n, 1n)];
  expect(current(changes, [3n, 4n, 6n, 7n, 8n])).toEqual([false, false, false, true, true]);
});

test('no slot is current for an empty or unknown holding', () => {
  expect(current([change(1n, 5n), change(3n, 0n)], [1n, 3n, 4n])).toEqual([false, false, false]);
  expect(current([], [1n])).toEqual([false]);
});

const trade = (
  transaction: number,
  kind: ShareBalanceTrade['kind'],
  shares: bigint,
): ShareBalanceTrade => ({ transaction: String(transaction), kind, shares });

test('trades before the last transaction that left no shares are closed', () => {
  const trades = [trade(1, 'buy', 5n), trade(2, 'sell', 5n), trade(3, 'buy', 2n)];
  expect(countClosedTrades(trades, 2n)).toBe(2);
  expect(countClosedTrades(trades.slice(0, 2), 0n)).toBe(2);
  expect(countClosedTrades(trades.slice(0, 1), 5n)).toBe(0);
});

test('shares that one transaction sells and buys again are not closed', () => {
  const trades = [trade(1, 'buy', 5n), trade(2, 'sell', 5n), trade(2, 'buy', 4n)];
  expect(countClosedTrades(trades, 4n)).toBe(0);
});

test('trades that do not add up to the balance, or sell more than was bought, tell nothing', () => {
  expect(countClosedTrades([trade(1, 'buy', 5n), trade(2, 'sell', 5n)], 1n)).toBeUndefined();
  expect(countClosedTrades([trade(1, 'sell', 5n), trade(2, 'buy', 5n)], 0n)).toBeUndefined();
});
