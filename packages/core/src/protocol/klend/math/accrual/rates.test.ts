import { expect, test } from 'vitest';
import {
  curve,
  exampleReserve,
} from '../../../../../../../test/support/lending/lending-accounts.ts';
import { aprToApy } from '../../../../base/numbers/apy.ts';
import { formatRatio, parseDecimal, type Ratio } from '../../../../base/numbers/decimal.ts';
import { toLamports } from '../../../../base/numbers/lamports.ts';
import { sfFromBits } from '../../../../base/numbers/scaled-fraction.ts';
import type { InterestRateBasis } from './accrual-duration.ts';
import { perRealYear, reserveRates } from './rates.ts';

const slotMs = (ms: bigint): Ratio => ({ numerator: ms, denominator: 1n });
const percent = (rate: Ratio): number => Number(formatRatio(rate, 20)) * 100;

test('computes the reference example with slots of half a second', () => {
  const rates = reserveRates({ ...exampleReserve(), basis: 'legacy' }, slotMs(500n));
  expect(percent(rates.borrowApr)).toBeCloseTo(3.833335555557037, 12);
  expect(percent(rates.supplyApr)).toBeCloseTo(0.9444457037049629, 12);
  // the published example is a double raised to a large power, accurate to eight digits
  expect(percent(rates.borrowApy)).toBeCloseTo(3.907755894979359, 5);
  expect(percent(rates.supplyApy)).toBeCloseTo(0.9489196805581246, 5);
});

test('slots of 400 ms increase every rate by a quarter', () => {
  const rates = reserveRates({ ...exampleReserve(), basis: 'legacy' }, slotMs(400n));
  expect(percent(rates.borrowApr)).toBeCloseTo(3.833335555557037 * 1.25, 12);
  expect(percent(rates.borrowApy)).toBeCloseTo(4.9083262811499, 5);
  expect(percent(rates.supplyApy)).toBeCloseTo(1.1875528733489737, 5);
});

test('a fixed-term reserve charges the rate of its curve at the current utilization', () => {
  const reserve = exampleReserve();
  const fixed = {
    ...reserve,
    basis: 'legacy' as const,
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
    basis: 'legacy' as const,
    liquidity: { ...reserve.liquidity, borrowedAmountSf: sfFromBits(0n) },
  };
  const rates = reserveRates(idle, slotMs(400n));
  expect(formatRatio(rates.supplyApy, 20)).toBe('0');
  expect(percent(rates.borrowApr)).toBeCloseTo(0.625, 12);
});

/** A flat rate, and fully lent: lenders get what borrowers pay. */
const flat = (bps: number, basis: InterestRateBasis) => {
  const { config, liquidity } = exampleReserve();
  return {
    basis,
    // available tokens and the protocol's fees cancel out
    liquidity: { ...liquidity, totalAvailableAmount: toLamports(1_000_000n) },
    config: {
      ...config,
      hostFixedInterestRateBps: 0,
      protocolTakeRatePct: 0,
      borrowRateCurve: curve([
        [0, bps],
        [10000, bps],
      ]),
    },
  };
};

test.each([300n, 310n, 400n, 500n])(
  'a reserve that charges per second has the same rates in slots of %i ms',
  (ms) => {
    const rates = reserveRates(flat(721, 'trueApr'), slotMs(ms));
    expect(percent(rates.borrowApr)).toBeCloseTo(7.21, 12);
    expect(percent(rates.supplyApr)).toBeCloseTo(7.21, 12);
    expect(percent(rates.borrowApy)).toBeCloseTo(7.476281492738473, 12);
  },
);

test.each([
  // still compounded 63072000 times a year, as the hosted API does
  ['trueApr', 400n, '0.07476281492738472587'],
  ['trueApr', 310n, '0.07476281492738472587'],
  ['legacy', 400n, '0.09431106396880270135'],
  ['legacy', 310n, '0.12332195040414874844'],
  ['legacy', 300n, '0.12768478325276510566'],
] as const)('7.21 %% a year of the basis %s in slots of %i ms yield %s', (basis, ms, apy) => {
  const apr = perRealYear({ numerator: 721n, denominator: 10_000n }, basis, slotMs(ms));
  expect(formatRatio(aprToApy(apr), 20).slice(0, apy.length)).toBe(apy);
});

/** An answer of Kamino's hosted API for a reserve of 73 million USDC, recorded on 2 October 2026. */
const HOSTED = {
  available: 9_424_733_313_111n,
  supply: '73173587895743.208137',
  borrowed: '63841177511814.12276626040093321316076791',
  utilization: 0.872_462_036_476_525_1,
  takeRatePct: 10,
  borrowApy: 0.074_762_816_802_799_61,
  supplyApy: 0.058_247_308_465_255_72,
};

function hostedReserve(basis: InterestRateBasis) {
  const { config, liquidity } = exampleReserve();
  const bits = (text: string) => {
    const { numerator, denominator } = parseDecimal(text);
    return (numerator << 60n) / denominator;
  };
  const borrowed = bits(HOSTED.borrowed);
  const fees = (HOSTED.available << 60n) + borrowed - bits(HOSTED.supply);
  return {
    basis,
    config: {
      ...config,
      hostFixedInterestRateBps: 0,
      protocolTakeRatePct: HOSTED.takeRatePct,
      // 7.21 % at this utilization
      borrowRateCurve: curve([
        [0, 721],
        [10_000, 721],
      ]),
    },
    liquidity: {
      ...liquidity,
      totalAvailableAmount: toLamports(HOSTED.available),
      borrowedAmountSf: sfFromBits(borrowed),
      accumulatedProtocolFeesSf: sfFromBits(fees),
      accumulatedReferrerFeesSf: sfFromBits(0n),
      pendingReferrerFeesSf: sfFromBits(0n),
    },
  };
}

/** Compounds as the hosted API does, with doubles. */
const compounded = (apr: Ratio): number =>
  (1 + Number(formatRatio(apr, 30)) / 63_072_000) ** 63_072_000 - 1;

const difference = (value: number, expected: number): number => Math.abs(value / expected - 1);

test('a recorded answer of the hosted API has the rates of a reserve that charges per second', () => {
  for (const ms of [300n, 400n]) {
    const rates = reserveRates(hostedReserve('trueApr'), slotMs(ms));
    expect(difference(compounded(rates.borrowApr), HOSTED.borrowApy)).toBeLessThan(1e-8);
    expect(difference(compounded(rates.supplyApr), HOSTED.supplyApy)).toBeLessThan(1e-8);
    // exact powers differ from those of doubles after seven digits
    expect(difference(percent(rates.borrowApy), HOSTED.borrowApy * 100)).toBeLessThan(1e-7);
    expect(difference(percent(rates.supplyApy), HOSTED.supplyApy * 100)).toBeLessThan(1e-7);
    const utilization = Number(rates.utilization) / 2 ** 60;
    expect(utilization).toBeCloseTo(HOSTED.utilization, 14);
  }
});

test('a recorded answer of the hosted API does not have the rates of one that charges per slot', () => {
  for (const ms of [300n, 310n, 400n, 450n]) {
    const rates = reserveRates(hostedReserve('legacy'), slotMs(ms));
    expect(difference(compounded(rates.borrowApr), HOSTED.borrowApy)).toBeGreaterThan(0.1);
    expect(difference(compounded(rates.supplyApr), HOSTED.supplyApy)).toBeGreaterThan(0.1);
  }
});
