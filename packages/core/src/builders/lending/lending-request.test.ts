import { describe, expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import {
  EXAMPLE_WALLET,
  exampleAddress,
  exampleLending,
} from '../../../../../test/support/lending/example-lending.ts';
import { MARKET } from '../../../../../test/support/lending/lending-accounts.ts';
import { reserveOfKind } from '../../../../../test/support/lending/lending-requests.ts';
import { type LendingActionKind, parseLendingRequest } from './lending-request.ts';

const { state } = exampleLending();
const plain = reserveOfKind('plain');
const fields = { wallet: EXAMPLE_WALLET, market: MARKET, reserve: plain.address, amount: '1.5' };

test('an amount is in whole tokens', () => {
  expect(parseLendingRequest('deposit', fields, state)).toEqual({
    wallet: EXAMPLE_WALLET,
    market: MARKET,
    reserve: plain.address,
    amount: 1_500_000n,
  });
});

test('the decimals come from the reserve', () => {
  const request = { ...fields, reserve: reserveOfKind('sol').address };
  expect(parseLendingRequest('deposit', request, state).amount).toBe(1_500_000_000n);
});

describe('an unknown', () => {
  test('market throws', () => {
    const request = { ...fields, market: exampleAddress('no market') };
    expect(catchError(() => parseLendingRequest('repay', request, state))?.code).toBe(
      'KLEND_MARKET_NOT_FOUND',
    );
  });

  test('reserve throws', () => {
    const request = { ...fields, reserve: exampleAddress('no reserve') };
    expect(catchError(() => parseLendingRequest('repay', request, state))?.code).toBe(
      'KLEND_RESERVE_NOT_FOUND',
    );
  });

  test('reserve of another market throws', () => {
    const otherFields = { ...plain.fields, lendingMarket: exampleAddress('other market') };
    const { state: other } = exampleLending({ reserves: [{ ...plain, fields: otherFields }] });
    expect(catchError(() => parseLendingRequest('repay', fields, other))?.code).toBe(
      'KLEND_RESERVE_NOT_FOUND',
    );
  });
});

describe('the whole balance', () => {
  const texts = ['U64::MAX', '18446744073709551615', '18446744073709.551615'];
  const parsed = (intent: LendingActionKind, amount: string) => () =>
    parseLendingRequest(intent, { ...fields, amount }, state).amount;

  test.each(texts)('%s can be repaid and withdrawn', (amount) => {
    expect(parsed('repay', amount)()).toBe('all');
    expect(parsed('withdraw', amount)()).toBe('all');
  });

  test.each(texts)('%s can be neither deposited nor borrowed', (amount) => {
    expect(catchError(parsed('deposit', amount))?.code).toBe('DECIMAL_TO_LAMPORTS_OVERFLOW');
    expect(catchError(parsed('borrow', amount))?.code).toBe('DECIMAL_TO_LAMPORTS_OVERFLOW');
  });
});

test.each(['0', '-1', '1e3', ' 1', '1.5000001', '', 'all'])('"%s" is not an amount', (amount) => {
  expect(
    catchError(() => parseLendingRequest('withdraw', { ...fields, amount }, state))?.code,
  ).toBe('INVALID_DECIMAL');
});
