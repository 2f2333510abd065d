import { expect, test } from 'vitest';
import { formatRatio } from '../../../base/numbers/decimal.ts';
import { ONE_SF } from '../../../base/numbers/scaled-fraction.ts';
import { collateralPrice, farmEventAmount } from './farm-transaction.ts';

const text = (value: Parameters<typeof formatRatio>[0]) => formatRatio(value, 40);

test('a cToken is worth its part of the lenders’ supply, without fees', () => {
  const sample = {
    available: 600n,
    borrowedSf: 700n * ONE_SF,
    protocolFeesSf: 60n * ONE_SF,
    referrerFeesSf: 30n * ONE_SF,
    pendingReferrerFeesSf: 10n * ONE_SF,
    collateralSupply: 1_000n,
  };
  const price = { numerator: 2n, denominator: 1n };
  // 1,200 tokens for 1,000 cTokens, 2 USD each
  expect(text(collateralPrice(sample, price))).toBe('2.4');
  expect(text(collateralPrice({ ...sample, collateralSupply: 0n }, price))).toBe('2');
});

test('an unstake is scaled by 10^18, other amounts are in smallest units', () => {
  const amount = 1_500_000n;
  expect(text(farmEventAmount({ kind: 'stake', amount }, { decimals: 6n }))).toBe('1.5');
  const scaled = { kind: 'unstake', amount: amount * 10n ** 18n } as const;
  expect(text(farmEventAmount(scaled, { decimals: 6n }))).toBe('1.5');
  expect(text(farmEventAmount({ kind: 'transferOwnership', amount: null }, { decimals: 6n }))).toBe(
    '0',
  );
});
