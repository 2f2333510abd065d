import { expect, test } from 'vitest';
import { exampleMarket } from '../../../../../test/support/lending/example-market.ts';
import {
  exampleObligation,
  exampleReserves,
  groupMarket,
  groupObligation,
  SOL_RESERVE,
  USDC_RESERVE,
  withElevationGroup,
} from '../../../../../test/support/lending/lending-accounts.ts';
import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { formatRatio, type Ratio } from '../../base/numbers/decimal.ts';
import { formatSf, sfFromBits, sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import type { Obligation } from '../../protocol/klend/layout/obligation.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';
import { viewLoan } from './loan.ts';

const LOAN = SOL_RESERVE;

const loanOf = (fields: Obligation, changes: Parameters<typeof exampleMarket>[0] = {}) =>
  viewLoan({ address: LOAN, fields }, exampleMarket(changes));

const number = (ratio: Ratio | undefined) =>
  Number(formatRatio(ratio ?? { numerator: -1n, denominator: 1n }, 20));

const withConfig = (reserve: Reserve | undefined, config: Partial<Reserve['config']>): Reserve => {
  if (reserve === undefined) throw new Error('the reserve is missing');
  return { ...reserve, config: { ...reserve.config, ...config } };
};

const withDebt = (lamports: bigint): Obligation => {
  const example = exampleObligation();
  const borrows = example.borrows.map((borrow, i) =>
    i === 0 ? { ...borrow, borrowedAmountSf: sfFromInt(lamports) } : borrow,
  );
  return { ...example, borrows };
};

const withoutDebt = (): Obligation => {
  const example = exampleObligation();
  const borrows = example.borrows.map((borrow) => ({
    ...borrow,
    borrowReserve: ZERO_ADDRESS,
    borrowedAmountSf: sfFromBits(0n),
  }));
  return { ...example, borrows };
};

test('the reference example has the expected limits, positions and ratios', () => {
  const loan = loanOf(exampleObligation());
  const [sol, usdc] = loan.deposits;
  const [debt] = loan.borrows;
  expect(number(sol?.tokens)).toBeCloseTo(2.3999996, 9);
  expect(Number(formatSf(sol?.value ?? sfFromBits(0n)))).toBeCloseTo(359.99994, 9);
  expect(Number(formatSf(usdc?.value ?? sfFromBits(0n)))).toBeCloseTo(74.99995, 9);
  expect(number(debt?.tokens)).toBe(100.0000005);
  // (322.6499181 - 100.0000005) / 0.74
  expect(number(sol?.maxWithdrawableValue)).toBeCloseTo(300.878267, 6);
  expect(number(sol?.maxWithdrawableTokens)).toBeCloseTo(300.878267 / 150, 8);
  expect(number(debt?.maxBorrowableValue)).toBeCloseTo(222.6499176, 7);
  expect(number(debt?.maxBorrowableTokens)).toBeCloseTo(222.6499176, 7);
  expect(number(loan.currentLtv)).toBeCloseTo(100.0000005 / 434.99989, 12);
  expect(number(loan.maxLtv)).toBeCloseTo(322.6499181 / 434.99989, 9);
  expect(number(loan.liquidationLtv)).toBe(0.8);
  expect(number(loan.closeFactor)).toBe(0.2);
  expect(number(loan.leverage)).toBeCloseTo(1.2985075626, 9);
});

test('the maximum withdrawal is limited to the deposit', () => {
  const [, usdc] = loanOf(exampleObligation()).deposits;
  expect(number(usdc?.maxWithdrawableValue)).toBeCloseTo(74.99995, 9);
  expect(usdc?.maxWithdrawableTokens).toEqual(usdc?.tokens);
});

test('without debt every deposit can be withdrawn in full', () => {
  const { deposits, currentLtv, borrows } = loanOf(withoutDebt());
  expect(deposits.map(({ maxWithdrawableTokens }) => maxWithdrawableTokens)).toEqual(
    deposits.map(({ tokens }) => tokens),
  );
  expect(borrows).toEqual([]);
  expect(number(currentLtv)).toBe(0);
});

test('without debt a single deposit can be withdrawn in full, despite rounding', () => {
  const { deposits } = withoutDebt();
  const only = deposits.map((deposit, i) =>
    i === 0 ? deposit : { ...deposit, depositReserve: ZERO_ADDRESS, depositedAmount: 0n },
  );
  const [sol] = loanOf({ ...withoutDebt(), deposits: only }).deposits;
  expect(sol?.maxWithdrawableTokens).toEqual(sol?.tokens);
});

test('at its limit a loan allows no withdrawal and no borrow', () => {
  const { deposits, borrows, leverage } = loanOf(withDebt(400_000_000n));
  expect(deposits.map(({ maxWithdrawableValue }) => number(maxWithdrawableValue))).toEqual([0, 0]);
  expect(deposits.map(({ maxWithdrawableTokens }) => number(maxWithdrawableTokens))).toEqual([
    0, 0,
  ]);
  expect(number(borrows[0]?.maxBorrowableValue)).toBe(0);
  expect(number(borrows[0]?.maxBorrowableTokens)).toBe(0);
  expect(number(leverage)).toBeCloseTo(434.99989 / 34.99989, 9);
});

test('a deposit with zero loan-to-value can always be withdrawn', () => {
  const reserves = exampleReserves();
  reserves.set(SOL_RESERVE, withConfig(reserves.get(SOL_RESERVE), { loanToValuePct: 0 }));
  const [sol] = loanOf(withDebt(400_000_000n), { reserves }).deposits;
  expect(number(sol?.maxLtv)).toBe(0);
  expect(sol?.maxWithdrawableTokens).toEqual(sol?.tokens);
});

test('a borrow factor raises the counted debt and lowers the borrow limit', () => {
  const reserves = exampleReserves();
  reserves.set(USDC_RESERVE, withConfig(reserves.get(USDC_RESERVE), { borrowFactorPct: 125n }));
  const { borrows, currentLtv } = loanOf(exampleObligation(), { reserves });
  expect(number(borrows[0]?.borrowFactor)).toBe(1.25);
  expect(number(borrows[0]?.maxBorrowableValue)).toBeCloseTo(
    (322.6499181 - 125.000000625) / 1.25,
    7,
  );
  expect(number(currentLtv)).toBeCloseTo(125.000000625 / 434.99989, 12);
});

test('a borrow factor below one counts as one', () => {
  const reserves = exampleReserves();
  reserves.set(USDC_RESERVE, withConfig(reserves.get(USDC_RESERVE), { borrowFactorPct: 50n }));
  expect(number(loanOf(exampleObligation(), { reserves }).borrows[0]?.borrowFactor)).toBe(1);
});

test('in an elevation group the limits of the group apply, without borrow factors', () => {
  const reserves = new Map(
    [...exampleReserves()].map(([address, reserve]) => [
      address,
      withConfig(withElevationGroup(reserve), { borrowFactorPct: 200n }),
    ]),
  );
  const loan = loanOf(groupObligation(), { market: groupMarket(), reserves });
  expect(loan.elevationGroup).toBe(1);
  expect(number(loan.maxLtv)).toBe(0.9);
  expect(number(loan.liquidationLtv)).toBe(0.95);
  expect(number(loan.borrows[0]?.borrowFactor)).toBe(1);
  expect(number(loan.borrows[0]?.maxBorrowableValue)).toBeCloseTo(359.99994 * 0.9 - 100.0000005, 7);
});

test('a token without a price cannot be borrowed and is no collateral', () => {
  const reserves = new Map(
    [...exampleReserves()].map(([address, reserve]) => [
      address,
      { ...reserve, liquidity: { ...reserve.liquidity, marketPriceSf: sfFromBits(0n) } },
    ]),
  );
  const { deposits, borrows, maxLtv } = loanOf(exampleObligation(), { reserves });
  expect(number(borrows[0]?.maxBorrowableTokens)).toBe(0);
  expect(deposits.map(({ maxWithdrawableTokens }) => maxWithdrawableTokens)).toEqual(
    deposits.map(({ tokens }) => tokens),
  );
  expect(number(maxLtv)).toBe(0);
});
