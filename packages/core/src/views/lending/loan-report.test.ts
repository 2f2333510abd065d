import { expect, test } from 'vitest';
import { exampleMarket } from '../../../../../test/support/lending/example-market.ts';
import {
  emptyMarket,
  exampleObligation,
  exampleReserves,
  groupMarket,
  groupObligation,
  NOW,
  SOL_RESERVE,
  USDC_RESERVE,
  withElevationGroup,
} from '../../../../../test/support/lending/lending-accounts.ts';
import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { formatRatio, type Ratio } from '../../base/numbers/decimal.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import type { LendingMarket } from '../../protocol/klend/layout/lending-market.ts';
import type { Obligation } from '../../protocol/klend/layout/obligation.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';
import { viewLoanReport } from './loan-report.ts';

type Changes = {
  readonly sol?: (reserve: Reserve) => Reserve;
  readonly usdc?: (reserve: Reserve) => Reserve;
  readonly market?: Partial<LendingMarket>;
};

/** The limits of the example loan in whole tokens: SOL and USDC to withdraw, USDC to borrow. */
function limitsOf(fields: Obligation, { sol, usdc, market = {} }: Changes = {}) {
  const reserves = exampleReserves();
  const change = (address: Address, update: Changes['sol']) => {
    const reserve = reserves.get(address);
    if (reserve !== undefined && update !== undefined) reserves.set(address, update(reserve));
  };
  change(SOL_RESERVE, sol);
  change(USDC_RESERVE, usdc);
  const snapshot = exampleMarket({ reserves, market: { ...emptyMarket(), ...market } });
  const { deposits, borrows } = viewLoanReport({ address: SOL_RESERVE, fields }, snapshot);
  return {
    withdraw: deposits.map(({ maxWithdrawableTokens }) => text(maxWithdrawableTokens)),
    borrow: borrows.map(({ maxBorrowableTokens }) => text(maxBorrowableTokens)),
    values: [...deposits.map((each) => each.maxWithdrawableValue)].map(text),
  };
}

const text = (ratio: Ratio): string => formatRatio(ratio, 40);

const withConfig =
  (config: Partial<Reserve['config']>) =>
  (reserve: Reserve): Reserve => ({ ...reserve, config: { ...reserve.config, ...config } });

const withDebt = (lamports: bigint): Obligation => {
  const example = exampleObligation();
  const borrows = example.borrows.map((borrow, i) =>
    i === 0 ? { ...borrow, borrowedAmountSf: sfFromInt(lamports) } : borrow,
  );
  return { ...example, borrows };
};

const withoutDebt = (): Obligation => ({
  ...exampleObligation(),
  borrows: exampleObligation().borrows.map((borrow) => ({
    ...borrow,
    borrowReserve: ZERO_ADDRESS,
    borrowedAmountSf: sfFromBits(0n),
  })),
});

test('the reference example has limits in whole lamports', () => {
  // (322.6499181 - 100.0000005) / 0.74 / 150 = 2.005855…: the last cToken that fits, and its liquidity
  const { withdraw, borrow, values } = limitsOf(exampleObligation());
  expect(withdraw).toEqual(['2.005855113', '74.99995']);
  expect(Number(values[0])).toBeCloseTo(2.005855113 * 150, 9);
  expect(borrow).toEqual(['222.649917']);
});

test('without debt every deposit can be withdrawn in full', () => {
  // 2.3999996 SOL and 74.99995 USDC
  expect(limitsOf(withoutDebt()).withdraw).toEqual(['2.3999996', '74.99995']);
});

test('at its limit a loan allows no withdrawal and no borrow, also of a deposit without LTV', () => {
  const none = { withdraw: ['0', '0'], borrow: ['0'] };
  expect(limitsOf(withDebt(400_000_000n))).toMatchObject(none);
  const sol = withConfig({ loanToValuePct: 0 });
  expect(limitsOf(withDebt(400_000_000n), { sol })).toMatchObject(none);
});

test('with room left, a deposit without LTV can be withdrawn in full', () => {
  // USDC alone allows 74.99995 * 0.75 = 56.24 USD
  const sol = withConfig({ loanToValuePct: 0 });
  expect(limitsOf(withDebt(50_000_000n), { sol }).withdraw[0]).toBe('2.3999996');
});

test('the allowed borrow value of the market limits both', () => {
  // 150 - 100.0000005 USD are left; 49.9999995 / 0.74 = 67.567566891… USD of SOL
  const { withdraw, borrow } = limitsOf(exampleObligation(), {
    market: { globalAllowedBorrowValue: 150n },
  });
  expect(borrow).toEqual(['49.999999']);
  expect(Number(withdraw[0])).toBeCloseTo(49.9999995 / 0.74 / 150, 8);
});

test('the available liquidity limits both', () => {
  /** The rest of the liquidity is lent, so that the exchange rate stays. */
  const scarce = (available: bigint) => (reserve: Reserve) => {
    const { totalAvailableAmount, borrowedAmountSf } = reserve.liquidity;
    const lent = sfFromBits(borrowedAmountSf + sfFromInt(totalAvailableAmount - available));
    const liquidity = { totalAvailableAmount: toLamports(available), borrowedAmountSf: lent };
    return { ...reserve, liquidity: { ...reserve.liquidity, ...liquidity } };
  };
  const { withdraw, borrow } = limitsOf(exampleObligation(), {
    sol: scarce(1_000_000_000n),
    usdc: scarce(30_000_000n),
  });
  // the liquidity of the last cToken that one SOL or 30 USDC pay
  expect(Number(withdraw[0])).toBeLessThanOrEqual(1);
  expect(Number(withdraw[0])).toBeGreaterThan(0.999_999_99);
  expect(borrow).toEqual(['30']);
});

test('withdrawal caps limit both', () => {
  const capped = (reserve: Reserve, name: 'depositWithdrawalCap' | 'debtWithdrawalCap') =>
    withConfig({
      [name]: {
        ...reserve.config[name],
        configCapacity: 5_000_000n,
        currentTotal: 0n,
        configIntervalLengthSeconds: 60n,
        lastIntervalStartTimestamp: NOW,
      },
    })(reserve);
  const limits = limitsOf(exampleObligation(), {
    usdc: (reserve) => capped(capped(reserve, 'depositWithdrawalCap'), 'debtWithdrawalCap'),
  });
  expect(limits.borrow).toEqual(['5']);
  expect(limits.withdraw[1]).toBe('5');
});

test('a borrow factor lowers the borrow limit', () => {
  // (322.6499181 - 125.000000625) / 1.25 = 158.119933980
  const usdc = withConfig({ borrowFactorPct: 125n });
  expect(limitsOf(exampleObligation(), { usdc }).borrow).toEqual(['158.119933']);
});

test('the origination fee is part of the debt', () => {
  const originationFeeSf = sfFromBits(sfFromInt(1n) / 100n);
  const fees = { originationFeeSf, flashLoanFeeSf: sfFromBits(0n), padding: new Uint8Array(8) };
  // 222.6499176 / 1.01 = 220.445462…; with the rounded fee of 2.204455 the debt is 222.649917
  expect(limitsOf(exampleObligation(), { usdc: withConfig({ fees }) }).borrow).toEqual([
    '220.445462',
  ]);
});

test('in an elevation group its limits apply', () => {
  const reserves = new Map(
    [...exampleReserves()].map(([address, reserve]) => [address, withElevationGroup(reserve)]),
  );
  const snapshot = exampleMarket({ market: groupMarket(), reserves });
  const loan = viewLoanReport({ address: SOL_RESERVE, fields: groupObligation() }, snapshot);
  // 359.99994 * 0.9 - 100.0000005
  expect(loan.borrows.map((each) => text(each.maxBorrowableTokens))).toEqual(['223.999945']);
});

test('an outdated price blocks a loan and a withdrawal with debt, not one without', () => {
  const old = (reserve: Reserve): Reserve => ({
    ...reserve,
    lastUpdate: { ...reserve.lastUpdate, priceStatus: 0 },
  });
  expect(limitsOf(exampleObligation(), { sol: old })).toMatchObject({
    withdraw: ['0', '0'],
    borrow: ['0'],
  });
  expect(limitsOf(withoutDebt(), { sol: old }).withdraw).toEqual(['2.3999996', '74.99995']);
});

test('a token without a price cannot be borrowed, and nothing is withdrawn against it', () => {
  const worthless = (reserve: Reserve): Reserve => ({
    ...reserve,
    liquidity: { ...reserve.liquidity, marketPriceSf: sfFromBits(0n) },
  });
  const limits = limitsOf(exampleObligation(), { sol: worthless, usdc: worthless });
  expect(limits).toMatchObject({ withdraw: ['0', '0'], borrow: ['0'] });
});
