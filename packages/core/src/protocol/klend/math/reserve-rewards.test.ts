import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exampleReserve } from '../../../../../../test/support/lending/lending-accounts.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { formatRatio } from '../../../base/numbers/decimal.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt, ZERO_SF } from '../../../base/numbers/scaled-fraction.ts';
import { distributedRewards, type RewardsSource, reserveRewardsApr } from './reserve-rewards.ts';

/** A supply of 1499999000000 lamports. */
const rewarded = (perSlot: bigint, available = 10n ** 9n): RewardsSource => {
  const { liquidity, collateral } = exampleReserve();
  return {
    ...liquidity,
    rewardsAmountPerSlot: toLamports(perSlot),
    rewardsAmountAvailable: toLamports(available),
    mintTotalSupply: collateral.mintTotalSupply,
  };
};

const apr = (source: RewardsSource, maxAprBps: number, slotMs = 500n): number =>
  Number(
    formatRatio(
      reserveRewardsApr(source, { maxAprBps, slotMs: { numerator: slotMs, denominator: 1n } }),
      20,
    ),
  );

test('the configured rate is distributed for each slot', () => {
  expect(distributedRewards(rewarded(7n), { elapsed: 11n, maxAprBps: 10_000 })).toBe(77n);
});

test('no more than the maximum APR of the market, and no more than is left', () => {
  // 1499999000000 * 500 / 10000 / 63072000 * 1000 = 1189116.3...
  const elapsed = 1_000n;
  expect(distributedRewards(rewarded(2_000n), { elapsed, maxAprBps: 500 })).toBe(1_189_116n);
  expect(distributedRewards(rewarded(1_000n), { elapsed, maxAprBps: 500 })).toBe(1_000_000n);
  expect(distributedRewards(rewarded(1_000n, 999n), { elapsed, maxAprBps: 500 })).toBe(999n);
});

test('the supply is rounded down to whole lamports before the maximum is applied', () => {
  const source = rewarded(10n ** 6n);
  // 630720000 lamports at 10000 bps are exactly 10 per slot
  const exact = {
    ...source,
    totalAvailableAmount: toLamports(130_720_000n),
    borrowedAmountSf: sfFromInt(500_000_000n),
    accumulatedProtocolFeesSf: ZERO_SF,
  };
  const almost = { ...exact, accumulatedProtocolFeesSf: sfFromBits(1n) };
  const once = { elapsed: 1n, maxAprBps: 10_000 };
  expect(distributedRewards(exact, once)).toBe(10n);
  expect(distributedRewards(almost, once)).toBe(9n);
});

test.each([
  ['no time', rewarded(7n), { elapsed: 0n, maxAprBps: 500 }],
  ['a market without rewards', rewarded(7n), { elapsed: 9n, maxAprBps: 0 }],
  ['no configured rate', rewarded(0n), { elapsed: 9n, maxAprBps: 500 }],
  ['nothing left', rewarded(7n, 0n), { elapsed: 9n, maxAprBps: 500 }],
  ['no cTokens', { ...rewarded(7n), mintTotalSupply: 0n }, { elapsed: 9n, maxAprBps: 500 }],
])('%s distributes nothing', (_, source, terms) => {
  expect(distributedRewards(source, terms)).toBe(0n);
});

test('property: never more than is left, even if the products exceed 128 bits', () => {
  const amount = fc.bigInt(0n, U64_MAX);
  assertProperty(
    fc.property(amount, amount, amount, (perSlot, available, elapsed) => {
      const paid = distributedRewards(rewarded(perSlot, available), { elapsed, maxAprBps: 10_000 });
      expect(paid).toBeLessThanOrEqual(available);
    }),
    100,
  );
});

test('the yearly rate is the configured one on the supply, or the maximum', () => {
  expect(apr(rewarded(1_000n), 500)).toBeCloseTo(0.04204802803201869, 15);
  expect(apr(rewarded(2_000n), 500)).toBe(0.05);
  // slots of 400 ms distribute a quarter more in a year
  expect(apr(rewarded(1_000n), 500, 400n)).toBeCloseTo(0.05256003504002336, 15);
  expect(apr(rewarded(1_000n, 0n), 500)).toBe(0);
  expect(apr(rewarded(1_000n), 0)).toBe(0);
});
