import type { LoanReport } from '@tidegate/client';
import { expect, test } from 'vitest';
import { compareLoans, previewHealth } from './loan-changes.ts';

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

function loan(currentLtv: number, borrowed: string): LoanReport {
  const deposit = { tokenMint: SOL, tokenName: 'SOL', tokenAmount: '10', tokenValue: '1000' };
  const borrow = {
    tokenMint: USDC,
    tokenName: 'USDC',
    tokenAmount: borrowed,
    tokenValue: borrowed,
  };
  return {
    loanInfo: {
      currentLtv,
      maxLtv: 0.7,
      liquidationLtv: 0.75,
      collateral: { deposits: [deposit] },
      debt: { borrows: borrowed === '0' ? [] : [borrow] },
    },
  } as unknown as LoanReport;
}

const shown = (rows: ReturnType<typeof compareLoans>) =>
  rows.map(({ name, values, isChanged }) => [
    name,
    ...values.map((each) => each?.short),
    isChanged,
  ]);

test('health is the threshold divided by the LTV', () => {
  expect(previewHealth(loan(0.5, '500'))).toBe(1.5);
  expect(previewHealth(loan(0, '0'))).toBeUndefined();
  expect(previewHealth(null)).toBeUndefined();
});

test('a borrow changes health, LTV and debt, and nothing else', () => {
  expect(shown(compareLoans([loan(0.5, '500'), loan(0.6, '600')]))).toEqual([
    ['Health', '1.500', '1.250', true],
    ['LTV', '50.00\u00a0%', '60.00\u00a0%', true],
    ['Borrow limit', '70.00\u00a0%', '70.00\u00a0%', false],
    ['Liquidates at', '75.00\u00a0%', '75.00\u00a0%', false],
    ['Collateral', '$1,000', '$1,000', false],
    ['SOL deposited', '10\u00a0SOL', '10\u00a0SOL', false],
    ['Debt', '$500', '$600', true],
    ['USDC borrowed', '500\u00a0USDC', '600\u00a0USDC', true],
  ]);
});

test('a price that moves does not highlight a value in dollars', () => {
  const later = structuredClone(loan(0.5, '500'));
  const [deposit] = later.loanInfo.collateral.deposits;
  Object.assign(deposit ?? {}, { tokenValue: '1010' });
  const rows = compareLoans([loan(0.5, '500'), later]);
  const row = rows.find(({ name }) => name === 'Collateral');
  expect(row?.values.map((value) => value?.short)).toEqual(['$1,000', '$1,010']);
  expect(row?.isChanged).toBe(false);
});

test('a first borrow begins at zero, and health at unknown', () => {
  const rows = compareLoans([loan(0, '0'), loan(0.5, '500')]);
  expect(shown(rows.filter(({ isChanged }) => isChanged))).toEqual([
    ['Health', undefined, '1.500', true],
    ['LTV', '0\u00a0%', '50.00\u00a0%', true],
    ['Debt', '$0', '$500', true],
    ['USDC borrowed', '0\u00a0USDC', '500\u00a0USDC', true],
  ]);
  expect(rows[0]?.reason).toBe('there is no debt');
});

test('a loan that is created has no values before', () => {
  const [health, ltv] = compareLoans([null, loan(0.5, '500')]);
  expect([health?.values[0], ltv?.values[0]]).toEqual([undefined, undefined]);
});

test('a health just below 1 is not shown as 1', () => {
  const [health] = compareLoans([loan(0.75003, '750')]);
  expect(health?.values[0]?.short).toBe('0.999');
});
