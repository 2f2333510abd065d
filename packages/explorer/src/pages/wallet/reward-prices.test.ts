import { expect, test } from 'vitest';
import { rewardPrices } from './reward-prices.ts';

const market = (isPrimary: boolean, prices: readonly (readonly [string, string, string])[]) => ({
  isPrimary,
  prices: prices.map(([mint, price, timestamp]) => ({ mint, price, timestamp })),
});

test('a token that only a market beside the primary one has is priced there', () => {
  const prices = rewardPrices([
    market(true, [['KMNO', '0.05', '100']]),
    market(false, [['JLP', '4.2', '100']]),
  ]);
  expect(prices).toEqual(
    new Map([
      ['KMNO', '0.05'],
      ['JLP', '4.2'],
    ]),
  );
});

test('of several prices, that of a primary market counts, then the newest', () => {
  const prices = rewardPrices([
    market(false, [
      ['KMNO', '0.9', '900'],
      ['JLP', '4.1', '98'],
    ]),
    market(true, [['KMNO', '0.05', '100']]),
    market(false, [['JLP', '4.3', '101']]),
  ]);
  expect(prices.get('KMNO')).toBe('0.05');
  expect(prices.get('JLP')).toBe('4.3');
});
