import type { LoanReport } from '@tidegate/client';
import { expect, test } from 'vitest';
import { liquidationPrices, loanHealth, tokensOf } from './loan-health.ts';

type Position = {
  readonly symbol: string;
  readonly value: string;
  readonly price: number;
  /** Liquidation LTV of a deposit, borrow factor of a debt. */
  readonly weight: number;
};

const position = ({ symbol, value, price }: Position) => ({
  tokenMint: `${symbol} mint`,
  tokenName: symbol,
  tokenValue: value,
  tokenPrice: price,
});

const loan = (deposits: readonly Position[], debts: readonly Position[]): LoanReport['loanInfo'] =>
  ({
    collateral: {
      deposits: deposits.map((each) => ({ ...position(each), liquidationLtv: each.weight })),
    },
    debt: { borrows: debts.map((each) => ({ ...position(each), borrowFactor: each.weight })) },
  }) as unknown as LoanReport['loanInfo'];

const SOL = { symbol: 'SOL', value: '10000', price: 160, weight: 0.75 };
const JLP = { symbol: 'JLP', value: '2000', price: 4, weight: 0.5 };
const USDC = { symbol: 'USDC', value: '4000', price: 1, weight: 1 };
const BONK = { symbol: 'BONK', value: '1000', price: 0.00002, weight: 1.25 };

test('debts count with their borrow factors, deposits with their liquidation LTVs', () => {
  // limit 10000 * 0.75 + 2000 * 0.5 = 8500; debts 4000 * 1 + 1000 * 1.25 = 5250
  expect(loanHealth(loan([SOL, JLP], [USDC, BONK]))).toEqual({
    deposits: '12000',
    debts: '5000',
    netValue: '7000',
    adjustedDebts: '5250',
    liquidationLimit: '8500',
    ltv: '0.4375',
    liquidationLtv: '0.70833333333333333333',
    health: '1.61904761904761904762',
    isLiquidatable: false,
  });
});

test('a price that changes moves deposits and debts in its token alike', () => {
  // SOL at half: 12000 * 0.5 * 0.75 = 4500; debts 4000 + 2000 * 0.5 = 5000
  const both = loan([{ ...SOL, value: '12000' }], [USDC, { ...SOL, value: '2000', weight: 1 }]);
  const halved = loanHealth(both, (mint) => (mint === 'SOL mint' ? '0.5' : '1'));
  expect(halved).toMatchObject({
    deposits: '6000',
    debts: '5000',
    netValue: '1000',
    health: '0.9',
    isLiquidatable: true,
  });
});

test('a loan at exactly its limit can be liquidated, one below it cannot', () => {
  // 10000 * 0.75 = 7500
  expect(loanHealth(loan([SOL], [{ ...USDC, value: '7500' }]))).toMatchObject({
    health: '1',
    isLiquidatable: true,
  });
  const below = loan([SOL], [{ ...USDC, value: '7499.999999999999999999' }]);
  expect(loanHealth(below).isLiquidatable).toBe(false);
});

test('without debts there is no health, without deposits no LTV', () => {
  expect(loanHealth(loan([SOL], []))).toMatchObject({ health: undefined, isLiquidatable: false });
  expect(loanHealth(loan([], [USDC]))).toMatchObject({
    ltv: undefined,
    health: '0',
    isLiquidatable: true,
  });
});

test('the price of a deposit must fall, the price of a debt must rise', () => {
  // 3500 are left to the limit of 7500: SOL falls by 3500 / 7500, USDC rises by 3500 / 4000
  expect(liquidationPrices(loan([SOL], [USDC]))).toEqual([
    {
      mint: 'SOL mint',
      symbol: 'SOL',
      price: '85.3333333333333333328',
      change: '-0.46666666666666666667',
    },
    { mint: 'USDC mint', symbol: 'USDC', price: '1.875', change: '0.875' },
  ]);
});

test('at the liquidation price the loan is at its limit', () => {
  const info = loan([SOL, JLP], [USDC, BONK]);
  const [sol] = liquidationPrices(info);
  const at = loanHealth(info, (mint) =>
    mint === 'SOL mint' ? String(Number(sol?.price) / 160) : '1',
  );
  expect(Number(at.health)).toBeCloseTo(1, 12);
});

test('a token whose fall to nothing is survived has no liquidation price', () => {
  // without JLP the limit is still 7500 against 4000
  expect(liquidationPrices(loan([SOL, JLP], [USDC])).map(({ symbol }) => symbol)).toEqual([
    'SOL',
    'USDC',
  ]);
});

test('a token of which deposit and debt cancel out has none either', () => {
  const same = loan([{ ...SOL, weight: 0.5 }, JLP], [{ ...SOL, value: '5000', weight: 1 }]);
  expect(liquidationPrices(same)).toEqual([]);
});

test('a loan that can be liquidated now, and one without debts, have none', () => {
  expect(liquidationPrices(loan([SOL], [{ ...USDC, value: '8000' }]))).toEqual([]);
  expect(liquidationPrices(loan([SOL], []))).toEqual([]);
});

test('each token is listed once', () => {
  const tokens = tokensOf(loan([SOL, JLP], [{ ...SOL, value: '100', weight: 1 }, USDC]));
  expect(tokens.map(({ symbol, isDeposit }) => [symbol, isDeposit])).toEqual([
    ['SOL', true],
    ['JLP', true],
    ['USDC', false],
  ]);
});
