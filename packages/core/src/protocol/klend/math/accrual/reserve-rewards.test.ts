import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exampleReserve } from '../../../../../../../test/support/lending/lending-accounts.ts';
import {
  LEGACY,
  TRUE_APR,
  vectorMarket,
  vectorReserve,
  vectorTime,
} from '../../../../../../../test/support/lending/vector-reserve.ts';
import { assertProperty } from '../../../../../../../test/support/properties/assert-property.ts';
import { formatRatio } from '../../../../base/numbers/decimal.ts';
import { toLamports, U64_MAX } from '../../../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt, ZERO_SF } from '../../../../base/numbers/scaled-fraction.ts';
import { NEWEST_LENDING_RULES } from '../../releases.ts';
import { accrualTerms, accrueReserve } from './accrual.ts';
import { type InterestRateBasis, SECONDS_PER_YEAR, SLOTS_PER_YEAR } from './accrual-duration.ts';
import { distributedRewards, type RewardsSource, reserveRewardsApr } from './reserve-rewards.ts';

/** A supply of 1499999000000 lamports. */
const rewarded = (perUnit: bigint, available = 10n ** 9n): RewardsSource => {
  const { liquidity, collateral } = exampleReserve();
  return {
    ...liquidity,
    rewardsAmountPerAccrualUnit: toLamports(perUnit),
    rewardsAmountAvailable: toLamports(available),
    mintTotalSupply: collateral.mintTotalSupply,
  };
};

/** Slots of a reserve that charges per slot. */
const slots = (units: bigint) => ({ units, unitsPerYear: SLOTS_PER_YEAR });

const seconds = (units: bigint) => ({ units, unitsPerYear: SECONDS_PER_YEAR });

type AprOptions = { readonly slotMs?: bigint; readonly basis?: InterestRateBasis };

const apr = (
  source: RewardsSource,
  maxAprBps: number,
  { slotMs: numerator = 500n, basis = 'legacy' }: AprOptions = {},
): number => {
  const slotMs = { numerator, denominator: 1n };
  return Number(formatRatio(reserveRewardsApr(source, { maxAprBps, slotMs, basis }), 20));
};

test('the configured rate is distributed for each slot', () => {
  expect(distributedRewards(rewarded(7n), { duration: slots(11n), maxAprBps: 10_000 })).toBe(77n);
});

test('no more than the maximum APR of the market, and no more than is left', () => {
  // 1499999000000 * 500 / 10000 / 63072000 * 1000 = 1189116.3...
  const duration = slots(1_000n);
  expect(distributedRewards(rewarded(2_000n), { duration, maxAprBps: 500 })).toBe(1_189_116n);
  expect(distributedRewards(rewarded(1_000n), { duration, maxAprBps: 500 })).toBe(1_000_000n);
  expect(distributedRewards(rewarded(1_000n, 999n), { duration, maxAprBps: 500 })).toBe(999n);
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
  const once = { duration: slots(1n), maxAprBps: 10_000 };
  expect(distributedRewards(exact, once)).toBe(10n);
  expect(distributedRewards(almost, once)).toBe(9n);
});

test.each([
  ['no time', rewarded(7n), { duration: slots(0n), maxAprBps: 500 }],
  ['a market without rewards', rewarded(7n), { duration: slots(9n), maxAprBps: 0 }],
  ['no configured rate', rewarded(0n), { duration: slots(9n), maxAprBps: 500 }],
  ['nothing left', rewarded(7n, 0n), { duration: slots(9n), maxAprBps: 500 }],
  ['no cTokens', { ...rewarded(7n), mintTotalSupply: 0n }, { duration: slots(9n), maxAprBps: 500 }],
])('%s distributes nothing', (_, source, terms) => {
  expect(distributedRewards(source, terms)).toBe(0n);
});

test('property: never more than is left, even if the products exceed 128 bits', () => {
  const amount = fc.bigInt(0n, U64_MAX);
  assertProperty(
    fc.property(amount, amount, amount, (perUnit, available, elapsed) => {
      const paid = distributedRewards(rewarded(perUnit, available), {
        duration: slots(elapsed),
        maxAprBps: 10_000,
      });
      expect(paid).toBeLessThanOrEqual(available);
    }),
    100,
  );
});

test('the yearly rate is the configured one on the supply, or the maximum', () => {
  expect(apr(rewarded(1_000n), 500)).toBeCloseTo(0.04204802803201869, 15);
  expect(apr(rewarded(2_000n), 500)).toBe(0.05);
  // slots of 400 ms distribute a quarter more in a year
  expect(apr(rewarded(1_000n), 500, { slotMs: 400n })).toBeCloseTo(0.05256003504002336, 15);
  expect(apr(rewarded(1_000n, 0n), 500)).toBe(0);
  expect(apr(rewarded(1_000n), 0)).toBe(0);
});

test('a reserve that charges per second distributes per second, twice as much as the maximum per slot', () => {
  const duration = seconds(1_000n);
  expect(distributedRewards(rewarded(1_000n), { duration, maxAprBps: 500 })).toBe(1_000_000n);
  // 1499999000000 * 500 / 10000 / 31536000 * 1000 = 2378232.6...
  expect(distributedRewards(rewarded(3_000n), { duration, maxAprBps: 500 })).toBe(2_378_232n);
});

test('its yearly rate does not depend on the length of slots', () => {
  for (const slotMs of [300n, 400n, 500n]) {
    const options = { slotMs, basis: 'trueApr' } as const;
    // 1000 lamports in each of 31536000 seconds: half of what two slots a second distribute
    expect(apr(rewarded(1_000n), 500, options)).toBeCloseTo(0.02102401401600934, 15);
    expect(apr(rewarded(3_000n), 500, options)).toBe(0.05);
  }
});

/** The reserve of the vectors after 9000 slots or 3600 seconds, at most 3 % a year. */
test.each([
  [LEGACY, 1n, 9_000n],
  [LEGACY, 5n, 45_000n],
  [LEGACY, 12n, 108_000n],
  [LEGACY, 1_000n, 9_000_000n],
  [TRUE_APR, 1n, 3_600n],
  [TRUE_APR, 5n, 18_000n],
  [TRUE_APR, 12n, 43_200n],
  [TRUE_APR, 1_000n, 3_600_000n],
])('the basis %i with %i lamports per unit distributes %i', (basis, perUnit, expected) => {
  const reserve = vectorReserve(basis);
  const config = { ...reserve.config, rewardsAmountPerAccrualUnit: toLamports(perUnit) };
  const { totalAvailableAmount } = accrueReserve(
    { ...reserve, config },
    {
      ...accrualTerms(vectorMarket()),
      time: vectorTime(9_000n, 3_600n),
      rules: NEWEST_LENDING_RULES,
    },
  );
  expect(totalAvailableAmount - reserve.liquidity.totalAvailableAmount).toBe(expected);
});
