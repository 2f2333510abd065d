import type { LoanReport } from '@tidegate/client';
import { expect, test } from 'vitest';
import type { ListedReserve } from '../../api/directory.ts';
import { loanActions } from './loan-actions.ts';

type Position = readonly [mint: string, value: string];

const loan = (deposits: readonly Position[], borrows: readonly Position[], currentLtv = 0.5) => {
  const toList = (list: readonly Position[]) =>
    list.map(([tokenMint, tokenValue]) => ({ tokenMint, tokenValue }));
  return {
    collateral: { deposits: toList(deposits) },
    debt: { borrows: toList(borrows) },
    currentLtv,
    liquidationLtv: 0.8,
  } as unknown as LoanReport['loanInfo'];
};

const reserve = (address: string, mint: string) =>
  ({ reserve: address, liquidityTokenMint: mint }) as ListedReserve;

const reserves = [
  reserve('sol reserve', 'SOL'),
  reserve('usdc reserve', 'USDC'),
  reserve('jito reserve', 'JITOSOL'),
];

/** The actions that change one token. */
const shown = (info: LoanReport['loanInfo'], listed = reserves) =>
  loanActions(info, listed).flatMap((each) =>
    'reserve' in each ? [[each.action, each.reserve]] : [],
  );

const namesOf = (info: LoanReport['loanInfo']) =>
  loanActions(info, reserves).map(({ action }) => action);

test('each action has the reserve of the largest deposit or debt', () => {
  // 9.5 is less than 10, though not as text
  const deposits = [
    ['SOL', '9.5'],
    ['JITOSOL', '10'],
  ] as const;
  expect(shown(loan(deposits, [['USDC', '3']]))).toEqual([
    ['deposit', 'jito reserve'],
    ['borrow', 'usdc reserve'],
    ['repay', 'usdc reserve'],
    ['withdraw', 'jito reserve'],
  ]);
});

test('a loan without debt has nothing to repay, and no token to borrow first', () => {
  expect(shown(loan([['SOL', '1']], []))).toEqual([
    ['deposit', 'sol reserve'],
    ['borrow', undefined],
    ['withdraw', 'sol reserve'],
  ]);
});

test('an empty loan can only be deposited into', () => {
  expect(shown(loan([], []))).toEqual([['deposit', undefined]]);
});

test('of two reserves for one token, none is chosen', () => {
  const listed = [...reserves, reserve('other sol reserve', 'SOL')];
  expect(shown(loan([['SOL', '1']], []), listed)[0]).toEqual(['deposit', undefined]);
});

test('leverage is changed for the largest deposit and debt, and only a loan with both is deleveraged', () => {
  const pair = { collateral: 'jito reserve', debt: 'sol reserve' };
  const info = loan([['JITOSOL', '10']], [['SOL', '8']]);
  const found = loanActions(info, reserves);
  expect(found.find(({ action }) => action === 'deleverage')).toMatchObject(pair);
  expect(found.find(({ action }) => action === 'multiply')).toMatchObject(pair);
  const names = namesOf(loan([['JITOSOL', '10']], []));
  expect(names).toEqual(['deposit', 'borrow', 'withdraw', 'multiply', 'exit', 'claim']);
  expect(namesOf(loan([], []))).toEqual(['deposit']);
});

test('a loan at its threshold can be liquidated', () => {
  const at = (ltv: number) => namesOf(loan([['SOL', '10']], [['USDC', '8']], ltv));
  expect(at(0.79)).not.toContain('liquidate');
  expect(at(0.8)).toContain('liquidate');
});
