import { expect, test } from 'vitest';
import type { ListedReserve } from '../../api/directory.ts';
import type { VaultAllocations } from '../../api/generated/operations.ts';
import { marketTotals, withdrawableTokens } from './market-totals.ts';

const reserve = (fields: Partial<ListedReserve>): ListedReserve => ({
  reserve: 'R',
  liquidityToken: 'SOL',
  liquidityTokenMint: 'M',
  maxLtv: '0.7',
  borrowApy: '0',
  supplyApy: '0',
  totalSupply: '0',
  totalBorrow: '0',
  totalBorrowUsd: '0',
  totalSupplyUsd: '0',
  market: {} as never,
  ...fields,
});

const sol = reserve({
  reserve: 'A',
  totalSupply: '100.5',
  totalBorrow: '90.25',
  totalSupplyUsd: '10000.10',
  totalBorrowUsd: '9000.05',
  supplyApy: '0.05',
  borrowApy: '0.08',
});
const usdc = reserve({
  reserve: 'B',
  totalSupply: '500',
  totalBorrow: '10',
  totalSupplyUsd: '500.01',
  totalBorrowUsd: '10.001',
  supplyApy: '0.01',
  borrowApy: '0.02',
});
const unused = reserve({ reserve: 'C', supplyApy: '0.9', borrowApy: '0.001' });

test('the totals of a market are sums over its reserves', () => {
  const { supplied, borrowed } = marketTotals([sol, usdc, unused]);
  expect([supplied, borrowed]).toEqual(['10500.11', '9010.051']);
});

test('the best rates are those of reserves that are in use', () => {
  const { bestSupply, cheapestBorrow } = marketTotals([sol, usdc, unused]);
  expect([bestSupply?.reserve, cheapestBorrow?.reserve]).toEqual(['A', 'B']);
  expect(marketTotals([unused])).toMatchObject({
    bestSupply: undefined,
    cheapestBorrow: undefined,
  });
});

const allocations = (supplied: readonly (readonly [string, string])[]) =>
  ({
    unallocated: { tokenAmount: '7.5', usd: '0', pct: '0' },
    allocations: supplied.map(([address, suppliedTokenAmount]) => ({
      reserve: address,
      suppliedTokenAmount,
    })),
  }) as unknown as VaultAllocations;

test('a vault can pay out what it has and what its reserves have not lent out', () => {
  // A has 10.25 left of 20 deposited, B has more than the 30 deposited
  const vault = allocations([
    ['A', '20'],
    ['B', '30'],
  ]);
  expect(withdrawableTokens(vault, [sol, usdc])).toBe('47.75');
});

test('with a reserve that is not known, nothing is claimed', () => {
  expect(withdrawableTokens(allocations([['Z', '20']]), [sol])).toBeUndefined();
});
