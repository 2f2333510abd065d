import { expect, test } from 'vitest';
import type { ListedReserve } from '../../api/directory.ts';
import { marketTotals } from './market-totals.ts';

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
