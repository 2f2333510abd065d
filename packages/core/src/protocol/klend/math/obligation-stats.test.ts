import { expect, test } from 'vitest';
import {
  emptyMarket,
  exampleObligation,
  exampleReserves,
  NOW,
  SLOT,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { formatRatio } from '../../../base/numbers/decimal.ts';
import { formatSf, sfFromBits } from '../../../base/numbers/scaled-fraction.ts';
import { NEWEST_LENDING_RULES } from '../releases.ts';
import { obligationStats } from './obligation-stats.ts';
import { reserveAtSlot } from './reserve-at-slot.ts';

const terms = () => ({
  market: emptyMarket(),
  reserves: new Map(
    [...exampleReserves()].map(([address, reserve]) => [
      address,
      reserveAtSlot(reserve, {
        time: { slot: SLOT, unix: NOW },
        rules: NEWEST_LENDING_RULES,
        referralFeeBps: 2000,
        reserveRewardsMaxAprBps: 0,
      }),
    ]),
  ),
});

test('computes the reference example', () => {
  const stats = obligationStats(exampleObligation(), terms());
  expect(Number(formatSf(stats.borrowLimit))).toBeCloseTo(322.6499181, 7);
  expect(Number(formatSf(stats.borrowLiquidationLimit))).toBeCloseTo(347.999912, 7);
  expect(Number(formatSf(stats.userTotalBorrow))).toBeCloseTo(100.0000005, 9);
  expect(Number(formatSf(stats.userTotalDeposit))).toBeCloseTo(434.99989, 9);
  const text = (name: 'liquidationLtv' | 'borrowUtilization' | 'leverage' | 'loanToValue') => {
    const value = stats[name];
    return value === undefined ? 'none' : Number(formatRatio(value, 20));
  };
  expect(text('liquidationLtv')).toBeCloseTo(0.8, 12);
  expect(text('borrowUtilization')).toBeCloseTo(0.3099334445, 9);
  expect(text('leverage')).toBeCloseTo(1.2985075626, 9);
  expect(text('loanToValue')).toBeCloseTo(0.2298851167, 9);
  expect(Number(formatRatio(stats.netAccountValue, 20))).toBeCloseTo(334.9998895, 9);
});

test('ratios of an empty obligation are undefined', () => {
  const example = exampleObligation();
  const zero = '11111111111111111111111111111111' as typeof example.owner;
  const stats = obligationStats(
    {
      ...example,
      deposits: example.deposits.map((deposit) => ({ ...deposit, depositReserve: zero })),
      borrows: example.borrows.map((borrow) => ({ ...borrow, borrowReserve: zero })),
    },
    terms(),
  );
  expect(stats.userTotalDeposit).toBe(0n);
  expect(stats.loanToValue).toBeUndefined();
  expect(stats.leverage).toBeUndefined();
  expect(stats.liquidationLtv).toBeUndefined();
});

test('an underwater loan has a negative net value', () => {
  const { market, reserves } = terms();
  const cheap = new Map(
    [...reserves].map(([address, reserve]) => [
      address,
      reserve.priceDivisor > (10n ** 8n) << 60n ? { ...reserve, price: sfFromBits(1n) } : reserve,
    ]),
  );
  const stats = obligationStats(exampleObligation(), { market, reserves: cheap });
  expect(stats.netAccountValue.numerator).toBeLessThan(0n);
  expect(stats.leverage?.denominator).toBeGreaterThan(0n);
});

test('a missing reserve throws', () => {
  expect(() => obligationStats(exampleObligation(), { ...terms(), reserves: new Map() })).toThrow(
    /MALFORMED|malformed/,
  );
});
