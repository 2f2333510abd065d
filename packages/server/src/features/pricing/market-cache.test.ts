import { toAddress } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { goldenReader } from '../../../../../test/support/golden/golden-reader.ts';
import { createMarketCache } from './market-cache.ts';

const MARKET = toAddress('9VUb8vXKtjT4xWpe72Sfo3yGWKCaK6Xf9GMnB8xDsyES');

test('a market is made once per version, for each cluster its own', () => {
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

test('what is no market has none', () => {
  const reserve = toAddress('4YBrhwpzdrgQgz8AFvD6JBD1Yq3QZZEx4hySgNdufAJm');
  expect(createMarketCache()(goldenReader(), reserve)).toBeUndefined();
});
