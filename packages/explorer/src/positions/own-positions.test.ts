import type { Portfolio } from '@tidegate/client';
import { expect, test } from 'vitest';
import { loansIn, positionsIn, sharesIn } from './own-positions.ts';

const tokens = (reserve: string, amount: string) => ({
  reserve,
  amount,
  symbol: 'USDC',
  value: null,
});
const loan = (market: string, deposits: readonly object[], borrows: readonly object[]) => ({
  market,
  obligation: `loan in ${market}`,
  deposits,
  borrows,
});
const lending = loan('main', [tokens('a', '1'), tokens('b', '2')], [tokens('c', '3')]);
const multiply = loan('other', [tokens('c', '4')], [tokens('a', '5')]);
const portfolio = {
  ...{ lending: [lending], multiply: [multiply], leverage: [] },
  ...{ earn: [{ vault: 'x' }], privateCredit: [{ vault: 'y' }] },
} as unknown as Portfolio;

test('deposits and debts of all loans in a reserve are found', () => {
  const found = (reserve: string) =>
    positionsIn(portfolio, reserve).map(({ loan: { market }, side, amount }) => [
      market,
      side,
      amount,
    ]);
  expect(found('a')).toEqual([
    ['main', 'deposit', '1'],
    ['other', 'debt', '5'],
  ]);
  expect(found('c')).toEqual([
    ['main', 'debt', '3'],
    ['other', 'deposit', '4'],
  ]);
  expect(found('z')).toEqual([]);
});

test('loans of a market and shares of a vault are found, of all kinds', () => {
  expect(loansIn(portfolio, 'other')).toEqual([multiply]);
  expect(sharesIn(portfolio, 'y')).toEqual({ vault: 'y' });
  expect(sharesIn(portfolio, 'z')).toBeUndefined();
});
