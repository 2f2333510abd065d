import { expect, test } from 'vitest';
import type { BuildFields } from '../../routing/build-fields.ts';
import { builderRequest, findProblems } from './actions.ts';

const wallet = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';
const market = 'DxXdAyU3kCjnyggvHmY5nAwg5cRbbmdyX3npfDMjjMek';
const reserve = 'd4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q';
const vault = 'So11111111111111111111111111111111111111112';

const fields: BuildFields = {
  action: 'deposit',
  wallet,
  market,
  obligation: '',
  reserve,
  vault: '',
  amount: '1.5',
};

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
  const empty = { wallet: '', market: '', obligation: '', reserve: '', vault: '', amount: '' };
  const names = (action: BuildFields['action']) => Object.keys(findProblems({ action, ...empty }));
  expect(names('borrow')).toEqual(['wallet', 'market', 'reserve', 'amount']);
  expect(names('vault-withdraw')).toEqual(['wallet', 'vault', 'amount']);
  expect(names('claim')).toEqual(['wallet', 'vault']);
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

test('the request has what the builder documents, with a preview', () => {
  expect(builderRequest(fields)).toEqual({
    operation: 'POST /ktx/klend/deposit',
    parameters: { query: { preview: true }, body: { wallet, market, reserve, amount: '1.5' } },
  });
  expect(builderRequest({ ...fields, action: 'withdraw', amount: 'all' })).toMatchObject({
    operation: 'POST /ktx/klend/withdraw',
    parameters: { body: { amount: 'U64::MAX' } },
  });
  expect(builderRequest({ ...fields, action: 'vault-withdraw', vault })).toEqual({
    operation: 'POST /ktx/kvault/withdraw',
    parameters: { query: { preview: true }, body: { wallet, kvault: vault, amount: '1.5' } },
  });
  expect(builderRequest({ ...fields, action: 'claim' }).parameters.body).toEqual({
    wallet,
    market,
  });
  expect(builderRequest({ ...fields, action: 'claim', vault }).parameters.body).toEqual({
    wallet,
    kvault: vault,
  });
});
