import { describe, expect, test } from 'vitest';
import { errorCode } from '../../../../../test/support/errors/catch-error.ts';
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

test('an amount is of whole tokens', () => {
  expect(parseLendingRequest('deposit', fields, state)).toEqual({
    wallet: EXAMPLE_WALLET,
    market: MARKET,
    reserve: plain.address,
    amount: 1_500_000n,
  });
});

test('the decimals are those of the reserve', () => {
  const request = { ...fields, reserve: reserveOfKind('sol').address };
  expect(parseLendingRequest('deposit', request, state).amount).toBe(1_500_000_000n);
});

describe('what does not exist', () => {
  test('a market', () => {
    const request = { ...fields, market: exampleAddress('no market') };
    expect(errorCode(() => parseLendingRequest('repay', request, state))).toBe(
      'KLEND_MARKET_NOT_FOUND',
    );
  });

  test('a reserve', () => {
    const request = { ...fields, reserve: exampleAddress('no reserve') };
    expect(errorCode(() => parseLendingRequest('repay', request, state))).toBe(
      'KLEND_RESERVE_NOT_FOUND',
    );
  });

  test('a reserve of another market', () => {
    const strange = { ...plain.fields, lendingMarket: exampleAddress('other market') };
    const { state: other } = exampleLending({ reserves: [{ ...plain, fields: strange }] });
    expect(errorCode(() => parseLendingRequest('repay', fields, other))).toBe(
      'KLEND_RESERVE_NOT_FOUND',
    );
  });
});

describe('everything', () => {
  const texts = ['U64::MAX', '18446744073709551615', '18446744073709.551615'];
  const parsed = (intent: LendingActionKind, amount: string) => () =>
    parseLendingRequest(intent, { ...fields, amount }, state).amount;

  test.each(texts)('%s can be repaid and withdrawn', (amount) => {
    expect(parsed('repay', amount)()).toBe('all');
    expect(parsed('withdraw', amount)()).toBe('all');
  });

  test.each(texts)('%s can be neither deposited nor borrowed', (amount) => {
    expect(errorCode(parsed('deposit', amount))).toBe('DECIMAL_TO_LAMPORTS_OVERFLOW');
    expect(errorCode(parsed('borrow', amount))).toBe('DECIMAL_TO_LAMPORTS_OVERFLOW');
  });
});

test.each(['0', '-1', '1e3', ' 1', '1.5000001', '', 'all'])('"%s" is no amount', (amount) => {
  expect(errorCode(() => parseLendingRequest('withdraw', { ...fields, amount }, state))).toBe(
    'INVALID_DECIMAL',
  );
});
