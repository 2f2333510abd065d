import { expect, test } from 'vitest';
import { type BuildFields, EMPTY_FIELDS } from '../../../routing/build-fields.ts';
import { builderRequest } from './builder-request.ts';

const [wallet, market, reserve, vault] = ['wallet', 'market', 'reserve', 'vault'];
const fields: BuildFields = { ...EMPTY_FIELDS, wallet, market, reserve, amount: '1.5' };

const bodyOf = (changes: Partial<BuildFields>) =>
  builderRequest({ ...fields, ...changes }).parameters.body;

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

test('a loan that is named is that of the request, and none is the plain loan', () => {
  const loan = 'multiply loan';
  for (const action of ['deposit', 'borrow', 'repay', 'withdraw', 'claim'] as const) {
    expect(bodyOf({ action, obligation: loan }), action).toMatchObject({ market, loan });
    expect(bodyOf({ action }), action).not.toHaveProperty('loan');
  }
  expect(bodyOf({ action: 'claim', obligation: loan, vault })).toEqual({ wallet, kvault: vault });
});

const instruction = { programAddress: 'program', accounts: [], data: null };
const leverage = {
  collateral: 'sol reserve',
  debt: 'usdc reserve',
  amount: '20',
  collateralAmount: '3',
  swap: JSON.stringify([instruction]),
};
const pair = { market, collateralReserve: 'sol reserve', debtReserve: 'usdc reserve' };
const swap = { instructions: [instruction], lookupTables: [] };

test('a multiply request has a loan by its address or by its kind, and the amounts by their names', () => {
  const action = 'multiply';
  expect(builderRequest({ ...fields, ...leverage, action })).toEqual({
    operation: 'POST /ktx/klend/multiply',
    parameters: {
      query: { preview: true },
      body: { wallet, ...pair, swap, flashLoanAmount: '3', borrowAmount: '20' },
    },
  });
  expect(bodyOf({ ...leverage, action, ownAmount: '0.5', loanKind: 'leverage' })).toMatchObject({
    loanKind: 'leverage',
    depositAmount: '0.5',
  });
  const named = bodyOf({ ...leverage, action, loanKind: 'leverage', obligation: 'loan' });
  expect(named).toMatchObject({ loan: 'loan' });
  expect(named).not.toHaveProperty('loanKind');
});

test('a deleverage request can repay and withdraw everything', () => {
  const changes = { ...leverage, action: 'deleverage', obligation: 'loan' } as const;
  expect(builderRequest({ ...fields, ...changes, amount: 'all', collateralAmount: 'all' })).toEqual(
    {
      operation: 'POST /ktx/klend/deleverage',
      parameters: {
        query: { preview: true },
        body: {
          wallet,
          ...pair,
          loan: 'loan',
          swap,
          repayAmount: 'U64::MAX',
          withdrawAmount: 'U64::MAX',
        },
      },
    },
  );
});

test('a liquidation repays the debt and receives the collateral', () => {
  const { collateral, debt } = leverage;
  const changes = { action: 'liquidate', obligation: 'loan', collateral, debt } as const;
  expect(builderRequest({ ...fields, ...changes, amount: 'all' })).toEqual({
    operation: 'POST /ktx/klend/liquidate',
    parameters: {
      query: { preview: true },
      body: {
        wallet,
        market,
        loan: 'loan',
        repayReserve: 'usdc reserve',
        withdrawReserve: 'sol reserve',
        amount: 'U64::MAX',
      },
    },
  });
  expect(bodyOf({ ...changes, minimum: '7' })).toMatchObject({ minReceivedAmount: '7' });
});

test('a plan names its loan or vault', () => {
  expect(builderRequest({ ...fields, action: 'exit', obligation: 'loan' })).toEqual({
    operation: 'POST /ktx/klend/exit',
    parameters: { body: { wallet, market, loan: 'loan' } },
  });
  expect(builderRequest({ ...fields, action: 'vault-exit', vault })).toEqual({
    operation: 'POST /ktx/kvault/exit',
    parameters: { body: { wallet, kvault: vault } },
  });
});
