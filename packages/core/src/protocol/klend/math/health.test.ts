import { expect, test } from 'vitest';
import { exampleObligation } from '../../../../../../test/support/lending/lending-accounts.ts';
import { sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { maxWithdrawValue, remainingBorrowValue } from './health.ts';

const values = (allowed: bigint, unhealthy: bigint, debt: bigint) => ({
  ...exampleObligation(),
  depositedValueSf: sfFromInt(1000n),
  allowedBorrowValueSf: sfFromInt(allowed),
  unhealthyBorrowValueSf: sfFromInt(unhealthy),
  borrowFactorAdjustedDebtValueSf: sfFromInt(debt),
});
const deposit = { marketValueSf: sfFromInt(1000n), maxLtvPct: 50, liquidationThresholdPct: 80 };

test('the free borrow value is divided by the LTV of the deposit', () => {
  expect(maxWithdrawValue(values(500n, 800n, 250n), deposit, 'max ltv')).toBe(sfFromInt(500n));
});

test('at the liquidation threshold one bit must remain', () => {
  const most = maxWithdrawValue(values(500n, 800n, 400n), deposit, 'liquidation threshold');
  expect(most).toBe(((sfFromInt(400n) - 1n) * 100n) / 80n);
});

test('a deposit with zero LTV can be withdrawn fully unless the debt is too large', () => {
  const idle = { ...deposit, maxLtvPct: 0 };
  expect(maxWithdrawValue(values(500n, 800n, 250n), idle, 'max ltv')).toBe(sfFromInt(1000n));
  expect(maxWithdrawValue(values(500n, 800n, 500n), idle, 'max ltv')).toBe(0n);
});

test('the remaining borrow value is never negative', () => {
  expect(remainingBorrowValue(values(500n, 800n, 250n))).toBe(sfFromInt(250n));
  expect(remainingBorrowValue(values(500n, 800n, 600n))).toBe(0n);
});
