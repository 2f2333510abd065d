import { expect, test } from 'vitest';
import { type BuildFields, EMPTY_FIELDS } from '../../../routing/build-fields.ts';
import { findProblems } from './field-problems.ts';

const wallet = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';
const market = 'DxXdAyU3kCjnyggvHmY5nAwg5cRbbmdyX3npfDMjjMek';
const reserve = 'd4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q';
const vault = 'So11111111111111111111111111111111111111112';

const fields: BuildFields = { ...EMPTY_FIELDS, wallet, market, reserve, amount: '1.5' };

const swap = JSON.stringify([{ programAddress: vault, accounts: [], data: null }]);

test('complete fields have no problems', () => {
  expect(findProblems(fields)).toEqual({});
  const everything = { ...fields, action: 'repay', amount: 'all' } as const;
  expect(findProblems(everything)).toEqual({});
  const vaultFields = {
    ...fields,
    action: 'vault-deposit',
    market: '',
    reserve: '',
    vault,
  } as const;
  expect(findProblems(vaultFields)).toEqual({});
  expect(findProblems({ ...fields, action: 'claim', reserve: '', amount: '' })).toEqual({});
});

test('missing fields are named, and only those that the action needs', () => {
  const names = (action: BuildFields['action']) =>
    Object.keys(findProblems({ ...EMPTY_FIELDS, action })).sort();
  expect(names('borrow')).toEqual(['amount', 'market', 'reserve', 'wallet']);
  expect(names('vault-withdraw')).toEqual(['amount', 'vault', 'wallet']);
  expect(names('claim')).toEqual(['vault', 'wallet']);
  expect(names('exit')).toEqual(['obligation', 'wallet']);
  expect(names('vault-exit')).toEqual(['vault', 'wallet']);
  const pair = ['collateral', 'debt', 'market'];
  expect(names('liquidate')).toEqual(['amount', ...pair, 'obligation', 'wallet']);
  expect(names('deleverage')).toEqual([
    'amount',
    'collateral',
    'collateralAmount',
    'debt',
    'market',
    'swap',
    'wallet',
  ]);
});

test('a text that is no address is explained', () => {
  expect(findProblems({ ...fields, wallet: 'me' }).wallet).toMatch(/32 to 44 characters/);
  expect(findProblems({ ...fields, wallet: `${wallet.slice(1)}0` }).wallet).toMatch(/base58/);
});

test.each([
  ['', /Enter an amount/],
  ['1,5', /Use a point/],
  ['1,000.5', /no thousands/],
  ['.5', /Write 0\.5/],
  ['-1', /without a sign/],
  ['1e3', /without an exponent/],
  ['0', /above zero/],
  ['0.00', /above zero/],
  ['1.', /a number/],
  ['01', /a number/],
  ['one', /without an exponent|a number/],
  ['all', /not possible/],
])('an amount of “%s” is explained', (amount, message) => {
  expect(findProblems({ ...fields, amount }).amount).toMatch(message);
});

test('a change of leverage needs two tokens, amounts of both and a swap', () => {
  const pair = { collateral: reserve, debt: vault, collateralAmount: '2', swap } as const;
  const deleverage = { ...fields, ...pair, action: 'deleverage' } as const;
  expect(findProblems(deleverage)).toEqual({});
  const everything = { ...deleverage, amount: 'all', collateralAmount: 'all' };
  expect(findProblems(everything)).toEqual({});
  // the program needs the amount of a flash loan
  expect(Object.keys(findProblems({ ...everything, action: 'multiply' }))).toEqual([
    'amount',
    'collateralAmount',
  ]);
  expect(findProblems({ ...deleverage, debt: reserve }).debt).toMatch(/different tokens/);
  expect(findProblems({ ...deleverage, swap: '{' }).swap).toMatch(/not JSON/);
  expect(findProblems({ ...deleverage, action: 'multiply', ownAmount: '1,5' }).ownAmount).toMatch(
    /a point/,
  );
});

test('a loan that is named must be an address', () => {
  expect(findProblems({ ...fields, obligation: vault })).toEqual({});
  expect(findProblems({ ...fields, obligation: 'mine' }).obligation).toMatch(/not an address/);
});
