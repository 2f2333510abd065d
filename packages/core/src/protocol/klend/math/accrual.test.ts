import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exampleReserve, SLOT } from '../../../../../../test/support/lending/lending-accounts.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { hasCode } from '../../../base/errors.ts';
import { bsfFromBits } from '../../../base/numbers/big-scaled-fraction.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { formatSf, ONE_SF } from '../../../base/numbers/scaled-fraction.ts';
import { toSlot } from '../../../base/time.ts';
import { accrueReserve } from './accrual.ts';
import { totalSupply } from './supply.ts';

const after = (slots: bigint, referralFeeBps = 2000, reserveRewardsMaxAprBps = 0) => ({
  slot: toSlot(SLOT + slots),
  referralFeeBps,
  reserveRewardsMaxAprBps,
});

function atCumulativeRate(bits: bigint) {
  const reserve = exampleReserve();
  const { liquidity } = reserve;
  const cumulativeBorrowRateBsf = {
    ...liquidity.cumulativeBorrowRateBsf,
    value: bsfFromBits(bits),
  };
  return { ...reserve, liquidity: { ...liquidity, cumulativeBorrowRateBsf } };
}

test('computes the reference example: 1000 slots, host rate 50 bps, take rate 15 %, referral 2000 bps', () => {
  const reserve = atCumulativeRate((105n * ONE_SF) / 100n);
  const accrued = accrueReserve(reserve, after(1000n));
  expect(accrued.borrowedAmountSf).toBe(576_461_102_659_761_988_000_000_000_000n);
  expect(accrued.cumulativeBorrowRate).toBe(1_210_568_315_585_500_173n);
  expect(accrued.absoluteReferralRateSf).toBe(34_587_645_138_205_409n);
  expect(Number(formatSf(accrued.accumulatedProtocolFeesSf))).toBeCloseTo(1071347.052831711, 8);
  expect(Number(formatSf(accrued.pendingReferrerFeesSf))).toBeCloseTo(7927.453290167, 8);
  const supply = totalSupply({ ...reserve.liquidity, ...accrued });
  expect(formatSf(supply, 21)).toBe('1499999224611.17655473');
});

test('rewards are added to the tokens after the interest, up to the maximum of the market', () => {
  const reserve = exampleReserve();
  const rewarded = {
    ...reserve,
    config: { ...reserve.config, rewardsAmountPerSlot: toLamports(2_000n) },
    liquidity: { ...reserve.liquidity, rewardsAmountAvailable: toLamports(10_000_000n) },
  };
  const accrued = accrueReserve(rewarded, after(1000n, 2000, 500));
  // 5 % a year of the 1499999224611 lamports with interest, not of the 1499999000000 before
  expect(accrued.totalAvailableAmount).toBe(10n ** 12n + 1_189_116n);
  expect(accrued.rewardsAmountAvailable).toBe(10_000_000n - 1_189_116n);
  const { borrowedAmountSf } = accrueReserve(reserve, after(1000n));
  expect(accrued.borrowedAmountSf).toBe(borrowedAmountSf);
  expect(accrueReserve(rewarded, after(0n, 2000, 500)).totalAvailableAmount).toBe(10n ** 12n);
});

test('zero slots change nothing', () => {
  const reserve = exampleReserve();
  const accrued = accrueReserve(reserve, after(0n));
  expect(accrued.borrowedAmountSf).toBe(reserve.liquidity.borrowedAmountSf);
  expect(accrued.absoluteReferralRateSf).toBe(reserve.liquidity.absoluteReferralRateSf);
});

test('an earlier slot throws', () => {
  try {
    accrueReserve(exampleReserve(), after(-1n));
    expect.unreachable();
  } catch (error) {
    expect(hasCode(error, 'MATH_OVERFLOW')).toBe(true);
  }
});

test('property: new debt is fully divided among lenders, protocol and referrers', () => {
  assertProperty(
    fc.property(fc.bigInt(1n, 10_000_000n), fc.integer({ min: 0, max: 10_000 }), (slots, bps) => {
      const reserve = exampleReserve();
      const before = reserve.liquidity;
      const accrued = accrueReserve(reserve, after(slots, bps));
      const grown = accrued.borrowedAmountSf - before.borrowedAmountSf;
      const fees =
        accrued.accumulatedProtocolFeesSf +
        accrued.pendingReferrerFeesSf -
        before.accumulatedProtocolFeesSf;
      const lenders = totalSupply({ ...before, ...accrued }) - totalSupply(before);
      expect(lenders + fees).toBe(grown);
      expect(lenders).toBeGreaterThanOrEqual(0n);
    }),
    100,
  );
});
