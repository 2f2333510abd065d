import { expect, test } from 'vitest';
import { profitBesidesInterest } from './profit-parts.ts';

test('interest earned, less interest paid, and the rest are the profit to the last digit', () => {
  const interest = { earned: '0.60', paid: '2.000000000000000001' };
  // 0.60 - 2.000000000000000001 - 7.579999999999999999 = -8.98
  expect(profitBesidesInterest('-8.98', interest)).toBe('-7.579999999999999999');
});
