import { expect, test } from 'vitest';
import { loanHealth } from './loan-health.ts';

test('the loan of docs/numbers.md can lose 56.2 % before it is liquidated', () => {
  const limits = { currentLtv: 0.3480488703825322, liquidationLtv: 0.7950476639541492 };
  expect(loanHealth(limits)).toEqual({
    health: '2.2842989',
    fall: '56.222 %',
    isLiquidatable: false,
  });
});

test('a loan without debt has no health', () => {
  expect(loanHealth({ currentLtv: 0, liquidationLtv: 0.8 }).health).toBeUndefined();
});

test('a loan at its threshold can be liquidated', () => {
  expect(loanHealth({ currentLtv: 0.8, liquidationLtv: 0.8 })).toEqual({
    health: '1',
    fall: '0 %',
    isLiquidatable: true,
  });
  expect(loanHealth({ currentLtv: 0.865, liquidationLtv: 0.8 }).isLiquidatable).toBe(true);
  expect(loanHealth({ currentLtv: 0.5, liquidationLtv: 0 }).isLiquidatable).toBe(true);
});
