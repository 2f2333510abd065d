import { expect, test } from 'vitest';
import {
  goldenMarket,
  goldenReserve,
} from '../../../../../test/support/golden/golden-addresses.ts';
import { goldenReader } from '../../../../../test/support/golden/golden-reader.ts';
import { createMarketCache } from './market-cache.ts';

const MARKET = goldenMarket('Main Market').address;

test('a market is computed once per version and cluster', () => {
  let version = 1;
  const reader = goldenReader({ version: () => version });
  const other = goldenReader();
  const marketOf = createMarketCache();
  const first = marketOf(reader, MARKET);
  expect(first?.reserves.size).toBe(6);
  expect(marketOf(reader, MARKET)).toBe(first);
  expect(marketOf(other, MARKET)).not.toBe(first);
  expect(marketOf(reader, MARKET)).toBe(first);
  version = 2;
  expect(marketOf(reader, MARKET)).not.toBe(first);
});

test('the address of a reserve has no market', () => {
  const reserve = goldenReserve('Main Market', 'SOL').address;
  expect(createMarketCache()(goldenReader(), reserve)).toBeUndefined();
});
