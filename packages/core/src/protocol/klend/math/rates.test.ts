import { expect, test } from 'vitest';
import { curve, exampleReserve } from '../../../../../../test/support/lending/lending-accounts.ts';
import { formatRatio, type Ratio } from '../../../base/numbers/decimal.ts';
import { sfFromBits } from '../../../base/numbers/scaled-fraction.ts';
import { reserveRates } from './rates.ts';

const slotMs = (ms: bigint): Ratio => ({ numerator: ms, denominator: 1n });
const percent = (rate: Ratio): number => Number(formatRatio(rate, 20)) * 100;

test('computes the reference example with slots of half a second', () => {
  const rates = reserveRates(exampleReserve(), slotMs(500n));
  expect(percent(rates.borrowApr)).toBeCloseTo(3.833335555557037, 12);
  expect(percent(rates.supplyApr)).toBeCloseTo(0.9444457037049629, 12);
  // the published example is a double raised to a large power, accurate to eight digits
  expect(percent(rates.borrowApy)).toBeCloseTo(3.907755894979359, 5);
  expect(percent(rates.supplyApy)).toBeCloseTo(0.9489196805581246, 5);
});

test('slots of 400 ms increase every rate by a quarter', () => {
  const rates = reserveRates(exampleReserve(), slotMs(400n));
  expect(percent(rates.borrowApr)).toBeCloseTo(3.833335555557037 * 1.25, 12);
  expect(percent(rates.borrowApy)).toBeCloseTo(4.9083262811499, 5);
  expect(percent(rates.supplyApy)).toBeCloseTo(1.1875528733489737, 5);
});

test('a fixed-term reserve charges the rate of its curve at the current utilization', () => {
  const reserve = exampleReserve();
  const fixed = {
    ...reserve,
    config: {
      ...reserve.config,
      debtTermSeconds: 86_400n,
      borrowRateCurve: curve([
        [0, 500],
        [10000, 1500],
      ]),
    },
  };
  // utilization 0.33333355555570370367: 5 % + 10 % of it, plus the host's 0.5 %
  const { borrowApr, supplyApr } = reserveRates(fixed, slotMs(500n));
  expect(percent(borrowApr)).toBeCloseTo(8.333335555557037 + 0.5, 12);
  expect(percent(supplyApr)).toBeCloseTo(0.3333335555557037 * 8.333335555557037 * 0.85, 12);
});

test('without debt the supply rate is zero', () => {
  const reserve = exampleReserve();
  const idle = {
    ...reserve,
    liquidity: { ...reserve.liquidity, borrowedAmountSf: sfFromBits(0n) },
  };
  const rates = reserveRates(idle, slotMs(400n));
  expect(formatRatio(rates.supplyApy, 20)).toBe('0');
  expect(percent(rates.borrowApr)).toBeCloseTo(0.625, 12);
});
