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

test('the reference example has the expected positions and ratios', () => {
  const loan = loanOf(exampleObligation());
  const [sol, usdc] = loan.deposits;
  const [debt] = loan.borrows;
  expect(number(sol?.tokens)).toBeCloseTo(2.3999996, 9);
  expect(Number(formatSf(sol?.value ?? sfFromBits(0n)))).toBeCloseTo(359.99994, 9);
  expect(Number(formatSf(usdc?.value ?? sfFromBits(0n)))).toBeCloseTo(74.99995, 9);
  expect(number(debt?.tokens)).toBe(100.0000005);
  expect(number(loan.currentLtv)).toBeCloseTo(100.0000005 / 434.99989, 12);
  expect(number(loan.maxLtv)).toBeCloseTo(322.6499181 / 434.99989, 9);
  expect(number(loan.liquidationLtv)).toBe(0.8);
  expect(number(loan.closeFactor)).toBe(0.2);
  expect(number(loan.leverage)).toBeCloseTo(1.2985075626, 9);
});

test.each([
  // 434.99989 USD deposited; 95 % of it is 413.2498955
  ['up to the insolvency threshold the market sets it', 413_249_895n, 0.2],
  ['beyond the insolvency threshold all debt can be repaid', 413_249_896n, 1],
  // a debt below 2 USD must be repaid in full
  ['a debt of the full-liquidation value is not small', 2_000_000n, 0.2],
  ['a smaller debt is repaid in full', 1_999_999n, 1],
])('the close factor: %s', (_, debt, factor) => {
  expect(number(loanOf(withDebt(debt)).closeFactor)).toBe(factor);
});

test('the close factor of a loan without debt is that of the market', () => {
  expect(number(loanOf(withoutDebt()).closeFactor)).toBe(0.2);
});

test('the leverage is the deposits over their part without debt', () => {
  const { leverage } = loanOf(withDebt(400_000_000n));
  expect(number(leverage)).toBeCloseTo(434.99989 / 34.99989, 9);
});

test('a borrow factor raises the counted debt', () => {
  const reserves = exampleReserves();
  reserves.set(USDC_RESERVE, withConfig(reserves.get(USDC_RESERVE), { borrowFactorPct: 125n }));
  const { borrows, currentLtv } = loanOf(exampleObligation(), { reserves });
  expect(number(borrows[0]?.borrowFactor)).toBe(1.25);
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
});

test('a token without a price is no collateral', () => {
  const reserves = new Map(
    [...exampleReserves()].map(([address, reserve]) => [
      address,
      { ...reserve, liquidity: { ...reserve.liquidity, marketPriceSf: sfFromBits(0n) } },
    ]),
  );
  expect(number(loanOf(exampleObligation(), { reserves }).maxLtv)).toBe(0);
});
