import { expect, test } from 'vitest';
import { budgetOf, type FeeOffer, unitLimitOf } from './priority-fee.ts';

const level = (name: 'normal' | 'fast' | 'urgent', computeUnitPrice: string) => ({
  ...{ name, computeUnitPrice, percentile: 50, lamports: '1', sol: '0.000000001', usd: null },
});

const offer: FeeOffer = {
  unitLimit: 220_300,
  slots: 150,
  levels: [level('normal', '0'), level('fast', '1500'), level('urgent', '90000')],
};

test('the limit has a tenth of room and the units of the two budget instructions', () => {
  expect(unitLimitOf(200_000)).toBe(220_300);
  expect(unitLimitOf(1)).toBe(302);
  expect(unitLimitOf(1_390_000)).toBe(1_400_000);
});

test('the budget is that of the chosen level', () => {
  const budget = { computeUnitLimit: 220_300, computeUnitPrice: '1500' };
  expect(budgetOf(offer, 'fast')).toEqual(budget);
  expect(budgetOf(offer, 'none')).toBeUndefined();
  // nothing was paid, so no instruction is added
  expect(budgetOf(offer, 'normal')).toBeUndefined();
  expect(budgetOf(undefined, 'urgent')).toBeUndefined();
});
