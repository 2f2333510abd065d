import { expect, test } from 'vitest';
import { balanceOf } from './token-balance.ts';

const SOL = 'So11111111111111111111111111111111111111112';
const token = (mint: string, amount: string) => ({
  mint,
  amount,
  symbol: mint,
  decimals: 6,
  tokenAccount: 'account',
});
const balances = {
  sol: { amount: '3', reserved: '0.5', usable: '2.5' },
  tokens: [token('USDC', '12.5'), token(SOL, '9')],
};

test('all of a token can be used', () => {
  expect(balanceOf(balances, 'USDC')).toEqual({
    amount: '12.5',
    usable: '12.5',
    reserved: undefined,
  });
});

test('SOL is that of the wallet, not what it has wrapped, less what is reserved', () => {
  expect(balanceOf(balances, SOL)).toEqual({ amount: '3', usable: '2.5', reserved: '0.5' });
});

test('a token that the answer does not have has no balance', () => {
  expect(balanceOf(balances, 'other')).toBeUndefined();
});
