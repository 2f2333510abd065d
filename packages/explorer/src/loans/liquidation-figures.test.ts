import type { LoanReport } from '@tidegate/client';
import { expect, test } from 'vitest';
import {
  exampleLoan,
  examplePositions,
  stakedSolGroup,
} from '../../../../test/support/explorer/example-loans.ts';
import { linkTokens } from './linked-prices.ts';
import { liquidationFigures } from './liquidation-figures.ts';
import { loanHealth } from './loan-health.ts';

const { SOL, JitoSOL, JLP, USDC, BONK } = examplePositions;

type LoanInfo = LoanReport['loanInfo'];

const figuresOf = (loanInfo: LoanInfo, elevationGroup = 0) =>
  liquidationFigures(loanInfo, linkTokens({ loanInfo, elevationGroup }, [stakedSolGroup]));

test('without a link the price of a deposit must fall, and that of a debt rise', () => {
  // 3500 are left to the limit of 7500: SOL falls by 3500 / 7500, USDC rises by 3500 / 4000
  expect(figuresOf(exampleLoan([SOL], [USDC]))).toEqual([
    {
      mint: 'SOL mint',
      symbol: 'SOL',
      against: undefined,
      now: '160',
      price: '85.3333333333333333328',
      change: '-0.46666666666666666667',
      along: [],
    },
    expect.objectContaining({ symbol: 'USDC', price: '1.875', change: '0.875', along: [] }),
  ]);
});

test('staked SOL against SOL: the ratio decides, and no price in dollars', () => {
  const debt = { ...SOL, value: '7200', weight: 1 };
  // the limit is 9000: the ratio of 1.25 falls by 1800 / 9000
  expect(figuresOf(exampleLoan([JitoSOL], [debt]))).toEqual([
    {
      mint: 'JitoSOL mint',
      symbol: 'JitoSOL',
      against: { mint: 'SOL mint', symbol: 'SOL' },
      now: '1.25',
      price: '1',
      change: '-0.2',
      along: [],
    },
  ]);
});

test('a loan in an elevation group moves together without a common price chain', () => {
  const stable = { symbol: 'PYUSD', value: '5000', price: 1, weight: 0.9 };
  const loan = exampleLoan([stable], [USDC]);
  const [inGroup, ...others] = figuresOf(loan, 2);
  expect(others).toEqual([]);
  // the limit is 4500: 1 falls by 500 / 4500
  expect(inGroup).toMatchObject({ symbol: 'PYUSD', against: { symbol: 'USDC' }, now: '1' });
  expect(Number(inGroup?.change)).toBeCloseTo(-1 / 9, 12);
  expect(figuresOf(loan).map(({ against }) => against)).toEqual([undefined, undefined]);
});

test('partly linked: the tokens that move along are moved too, and named', () => {
  // SOL adds 7500 and JitoSOL takes 4000, together 3500; the limit of 9500 is 1500 above 8000
  const debts = [
    { ...JitoSOL, value: '4000', weight: 1 },
    { ...USDC, weight: 1 },
  ];
  const loan = exampleLoan([SOL, { ...JLP, value: '4000' }], debts);
  const figures = figuresOf(loan);
  expect(figures.map(({ symbol, along }) => [symbol, along])).toEqual([
    ['SOL', ['JitoSOL']],
    ['JLP', []],
    ['USDC', []],
  ]);
  const [sol] = figures;
  expect(Number(sol?.change)).toBeCloseTo(-1_500 / 3_500, 12);
  const factor = String(1 + Number(sol?.change));
  const moved = loanHealth(loan, (mint) => (/SOL/.test(mint) ? factor : '1'));
  expect(Number(moved.health)).toBeCloseTo(1, 9);
});

test('the largest debt is what the others are measured in', () => {
  const loan = exampleLoan(
    [JitoSOL],
    [
      { ...SOL, value: '3000', weight: 1 },
      { symbol: 'bSOL', value: '4000', price: 180, weight: 1 },
    ],
  );
  expect(figuresOf(loan, 1).map(({ symbol, against }) => [symbol, against?.symbol])).toEqual([
    ['JitoSOL', 'bSOL'],
    ['SOL', 'bSOL'],
  ]);
});

test('a token whose fall to nothing is survived, or whose deposit and debt cancel out, has none', () => {
  // without JLP the limit is still 7500 against 4000
  const survived = figuresOf(exampleLoan([SOL, JLP], [USDC]));
  expect(survived.map(({ symbol }) => symbol)).toEqual(['SOL', 'USDC']);
  const same = [{ ...SOL, value: '5000', weight: 1 }];
  expect(figuresOf(exampleLoan([{ ...SOL, weight: 0.5 }, JLP], same))).toEqual([]);
});

test('a loan that can be liquidated now, and one without debts, have none', () => {
  expect(figuresOf(exampleLoan([SOL], [{ ...USDC, value: '8000' }]))).toEqual([]);
  expect(figuresOf(exampleLoan([SOL], []))).toEqual([]);
});

test('at each price the loan is at its limit', () => {
  const loan = exampleLoan([SOL, JLP], [USDC, BONK]);
  for (const { mint, change } of figuresOf(loan)) {
    const at = loanHealth(loan, (each) => (each === mint ? String(1 + Number(change)) : '1'));
    expect(Number(at.health)).toBeCloseTo(1, 9);
  }
});
