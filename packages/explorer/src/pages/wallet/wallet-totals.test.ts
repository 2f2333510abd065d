import type { Portfolio } from '@tidegate/client';
import { expect, test } from 'vitest';
import { healthOf } from '../../loans/wallet-loans.ts';
import { isEmptyWallet, isStackable, netValueChart, walletTotals } from './wallet-totals.ts';

const loan = (netValue: string | null, ltv: string | null, liquidationLtv: string | null) =>
  ({ netValue, ltv, liquidationLtv }) as Portfolio['lending'][number];

const valued = (value: string | null) => ({ value, netValue: value }) as never;

const wallet = (parts: Partial<Portfolio>): Portfolio =>
  ({
    lending: [],
    multiply: [],
    leverage: [],
    liquidity: [],
    earn: [],
    privateCredit: [],
    staking: [],
    ...parts,
  }) as unknown as Portfolio;

test('all kinds of positions are added up', () => {
  const totals = walletTotals(
    wallet({
      lending: [loan('100.5', '0.5', '0.75')],
      multiply: [loan('10', '0.8', '0.9') as never],
      earn: [valued('20')],
      privateCredit: [valued('2')],
      staking: [valued('3')],
      ctokens: [valued('0.25')],
    }),
  );
  // health 0.75 / 0.5 = 1.5 and 0.9 / 0.8 = 1.125
  expect(totals).toEqual({
    total: '135.75',
    loans: '110.5',
    vaults: '22',
    others: '3.25',
    lowestHealth: '1.125',
  });
});

test('a value that is not known makes its total unknown, and leaves the others', () => {
  const totals = walletTotals(
    wallet({ earn: [valued('20'), valued(null)], staking: [valued('3')] }),
  );
  expect(totals).toMatchObject({ total: undefined, vaults: undefined, others: '3', loans: '0' });
});

test('a loan without debt has no health', () => {
  expect(healthOf(loan('1', '0', '0.75'))).toBeUndefined();
  expect(healthOf(loan(null, null, null))).toBeUndefined();
});

test('a wallet with one stake is not empty', () => {
  expect(isEmptyWallet(wallet({}))).toBe(true);
  expect(isEmptyWallet(wallet({ staking: [valued('1')] }))).toBe(false);
});

test('loans that are worth less than nothing are not stacked', () => {
  const point = (klendUsd: string) => ({
    createdOn: '2026-01-01T00:00:00.000Z',
    klendUsd,
    kvaultsUsd: '1',
    strategiesUsd: null,
    stakingUsd: null,
  });
  expect(isStackable(netValueChart([point('5')]))).toBe(true);
  expect(isStackable(netValueChart([point('5'), point('-1')]))).toBe(false);
});
