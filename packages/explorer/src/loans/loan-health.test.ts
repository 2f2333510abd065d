import { expect, test } from 'vitest';
import {
  examplePositions,
  exampleLoan as loan,
} from '../../../../test/support/explorer/example-loans.ts';
import { loanHealth, tokensOf } from './loan-health.ts';

const { SOL, JLP, USDC, BONK } = examplePositions;

test('debts count with their borrow factors, deposits with their liquidation LTVs', () => {
  // limit 10000 * 0.75 + 2000 * 0.5 = 8500; debts 4000 * 1 + 1000 * 1.25 = 5250
  expect(loanHealth(loan([SOL, JLP], [USDC, BONK]))).toEqual({
    deposits: '12000',
    debts: '5000',
    netValue: '7000',
    adjustedDebts: '5250',
    liquidationLimit: '8500',
    ltv: '0.4375',
    liquidationLtv: '0.70833333333333333333',
    health: '1.61904761904761904762',
    isLiquidatable: false,
  });
});

test('a price that changes moves deposits and debts in its token alike', () => {
  // SOL at half: 12000 * 0.5 * 0.75 = 4500; debts 4000 + 2000 * 0.5 = 5000
  const both = loan([{ ...SOL, value: '12000' }], [USDC, { ...SOL, value: '2000', weight: 1 }]);
  const halved = loanHealth(both, (mint) => (mint === 'SOL mint' ? '0.5' : '1'));
  expect(halved).toMatchObject({
    deposits: '6000',
    debts: '5000',
    netValue: '1000',
    health: '0.9',
    isLiquidatable: true,
  });
});

test('a loan at exactly its limit can be liquidated, one below it cannot', () => {
  // 10000 * 0.75 = 7500
  expect(loanHealth(loan([SOL], [{ ...USDC, value: '7500' }]))).toMatchObject({
    health: '1',
    isLiquidatable: true,
  });
  const below = loan([SOL], [{ ...USDC, value: '7499.999999999999999999' }]);
  expect(loanHealth(below).isLiquidatable).toBe(false);
});

test('without debts there is no health, without deposits no LTV', () => {
  expect(loanHealth(loan([SOL], []))).toMatchObject({ health: undefined, isLiquidatable: false });
  expect(loanHealth(loan([], [USDC]))).toMatchObject({
    ltv: undefined,
    health: '0',
    isLiquidatable: true,
  });
});

test('each token is listed once', () => {
  const tokens = tokensOf(loan([SOL, JLP], [{ ...SOL, value: '100', weight: 1 }, USDC]));
  expect(tokens.map(({ symbol, isDeposit }) => [symbol, isDeposit])).toEqual([
    ['SOL', true],
    ['JLP', true],
    ['USDC', false],
  ]);
});
