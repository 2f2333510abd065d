import type { VaultAllocations } from '@tidegate/client';
import { expect, test } from 'vitest';
import type { ListedReserve } from '../api/directory.ts';
import { estimateAvailable, moneyParts, totalWithdrawable } from './vault-withdrawals.ts';

const allocation = (reserve: string, suppliedTokenAmount: string) =>
  ({ reserve, suppliedTokenAmount, suppliedUsd: suppliedTokenAmount }) as never;

const vault = (...allocations: readonly never[]): VaultAllocations => ({
  asOf: '2026-01-01T00:00:00.000Z',
  capitalDeployedUsd: '0',
  utilizationRatio: '0',
  allocations,
  unallocated: { tokenAmount: '5.5', usd: '5.5', pct: '1' },
});

const reserve = (address: string, totalSupply: string, totalBorrow: string) =>
  ({ reserve: address, totalSupply, totalBorrow }) as ListedReserve;

const withdrawableOf = (allocations: VaultAllocations, available: ReadonlyMap<string, string>) =>
  moneyParts(allocations, available).map(({ withdrawable }) => withdrawable);

test('a deposit can be withdrawn as far as its reserve has tokens', () => {
  const allocations = vault(allocation('A', '100'), allocation('B', '30'));
  const available = new Map([
    ['A', '40'],
    ['B', '400'],
  ]);
  expect(withdrawableOf(allocations, available)).toEqual(['40', '30', '5.5']);
  expect(totalWithdrawable(moneyParts(allocations, available))).toBe('75.5');
});

test('the largest deposit is first, and tokens in no reserve are last', () => {
  const allocations = vault(allocation('A', '9'), allocation('B', '10'));
  expect(moneyParts(allocations, new Map()).map(({ tokens }) => tokens)).toEqual([
    '10',
    '9',
    '5.5',
  ]);
});

test('what a reserve has is estimated as what it has not lent out, at least nothing', () => {
  const reserves = [reserve('A', '1000', '960'), reserve('B', '10', '11')];
  expect([...estimateAvailable(reserves)]).toEqual([
    ['A', '40'],
    ['B', '0'],
  ]);
});

test('with an unknown reserve the total is not known', () => {
  const parts = moneyParts(vault(allocation('A', '9')), new Map());
  expect(parts[0]?.withdrawable).toBeUndefined();
  expect(totalWithdrawable(parts)).toBeUndefined();
});
