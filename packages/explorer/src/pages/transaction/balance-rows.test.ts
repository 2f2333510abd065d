import type { TransactionOutcome } from '@tidegate/client';
import { expect, test } from 'vitest';
import { balanceRows } from './balance-rows.ts';

const outcome: TransactionOutcome = {
  signature: 'a',
  status: 'landed',
  meaning: '',
  confirmation: 'finalized',
  isFinal: true,
  slot: '1',
  blockTime: null,
  blockHeight: '1',
  lastValidBlockHeight: null,
  feePayer: 'payer',
  feeLamports: '5000',
  computeUnits: null,
  failure: null,
  tokenChanges: null,
  solChanges: null,
  missing: null,
};

const token = {
  accounts: ['account'],
  mint: 'mint',
  symbol: 'USDC',
  decimals: 6,
  ...{ before: '2000000', after: '500000', change: '-1500000' },
  ...{ uiBefore: '2', uiAfter: '0.5', uiChange: '-1.5' },
};

const sol = { beforeLamports: '2000000000', afterLamports: '1999995000', changeLamports: '-5000' };

test('the payer comes first, tokens before SOL, in whole tokens', () => {
  const rows = balanceRows({
    ...outcome,
    tokenChanges: [
      { ...token, owner: 'other' },
      { ...token, owner: 'payer' },
    ],
    solChanges: [{ ...sol, account: 'payer', tokenOwner: null }],
  });
  expect(rows?.map(({ holder, unit, change }) => [holder, unit, change])).toEqual([
    ['payer', 'USDC', '-1.5'],
    ['payer', 'SOL', '-0.000005'],
    ['other', 'USDC', '-1.5'],
  ]);
});

test('accounts without a known owner, and token accounts, are no wallets', () => {
  const rows = balanceRows({
    ...outcome,
    tokenChanges: [{ ...token, owner: null, symbol: null }],
    solChanges: [{ ...sol, account: 'account', tokenOwner: 'payer' }],
  });
  expect(rows?.map(({ holder, isWallet }) => [holder, isWallet])).toEqual([
    ['account', false],
    ['account', false],
  ]);
});

test('what is not known is not zero', () => {
  expect(balanceRows(outcome)).toBeUndefined();
  const unknown = { beforeLamports: null, changeLamports: null };
  const [row] =
    balanceRows({
      ...outcome,
      solChanges: [{ ...sol, ...unknown, account: 'payer', tokenOwner: null }],
    }) ?? [];
  expect(row).toMatchObject({ before: undefined, after: '1.999995', change: undefined });
});
