import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../../../test/support/errors/catch-error.ts';
import {
  exampleReserve,
  NOW,
  SLOT,
} from '../../../../../../../test/support/lending/lending-accounts.ts';
import { releaseRules } from '../../../../../../../test/support/lending/release-rules.ts';
import {
  LEGACY,
  TRUE_APR,
  vectorMarket,
  vectorReserve,
  vectorTime,
  withTimestamp,
} from '../../../../../../../test/support/lending/vector-reserve.ts';
import { assertProperty } from '../../../../../../../test/support/properties/assert-property.ts';
import { referenceAccrual } from '../../../../../../../test/support/reference/reference-accrual.ts';
import { hasCode } from '../../../../base/errors.ts';
import { bsfFromBits } from '../../../../base/numbers/big-scaled-fraction.ts';
import { toLamports } from '../../../../base/numbers/lamports.ts';
import { formatSf, ONE_SF, sfFromBits } from '../../../../base/numbers/scaled-fraction.ts';
import { toSlot } from '../../../../base/time.ts';
import type { Reserve } from '../../layout/reserve.ts';
import { NEWEST_LENDING_RULES } from '../../releases.ts';
import { totalSupply } from '../supply.ts';
import { accrualTerms, accrueReserve } from './accrual.ts';

const after = (slots: bigint, referralFeeBps = 2000, reserveRewardsMaxAprBps = 0) => ({
  time: { slot: toSlot(SLOT + slots), unix: NOW },
  rules: NEWEST_LENDING_RULES,
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
  const newest = accrueReserve(reserve, after(1000n));
  expect(newest.borrowedAmountSf).toBe(576_461_102_659_868_131_500_000_000_000n);
  expect(newest.cumulativeBorrowRate).toBe(1_210_568_315_585_723_075n);
  expect(newest.accumulatedProtocolFeesSf).toBe(1_235_179_070_382_306_975_968_290n);
  expect(newest.pendingReferrerFeesSf).toBe(9_139_734_506_864_999_926_010n);
  // the published example is of a release before 1.17
  const accrued = accrueReserve(reserve, { ...after(1000n), rules: releaseRules('1.16') });
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
    config: { ...reserve.config, rewardsAmountPerAccrualUnit: toLamports(2_000n) },
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

const vectorInput = (slots: bigint, seconds: bigint, rules = NEWEST_LENDING_RULES) => ({
  ...accrualTerms(vectorMarket()),
  time: vectorTime(slots, seconds),
  rules,
});

const UNCHANGED = {
  totalAvailableAmount: 9_332_410_383_931n,
  rewardsAmountAvailable: 5_000_000_000n,
  borrowedAmountSf: 73603866432793400165579653631253n,
  cumulativeBorrowRate: 1423359869278100350n,
  accumulatedProtocolFeesSf: 1152921504606846976000000n,
  pendingReferrerFeesSf: 0n,
  absoluteReferralRateSf: 0n,
};

const LEGACY_ACCRUED = {
  totalAvailableAmount: 9_332_410_491_931n,
  rewardsAmountAvailable: 4_999_892_000n,
  borrowedAmountSf: 73605816682576231148281953080572n,
  cumulativeBorrowRate: 1423397583428327561n,
  accumulatedProtocolFeesSf: 181329428262014538481954503n,
  pendingReferrerFeesSf: 38479853827686412407442420n,
  absoluteReferralRateSf: 23058430092136939n,
};

const TRUE_APR_ACCRUED = {
  totalAvailableAmount: 9_332_410_427_131n,
  rewardsAmountAvailable: 4_999_956_800n,
  borrowedAmountSf: 73605426628483601037926188247397n,
  cumulativeBorrowRate: 1423390040518298448n,
  accumulatedProtocolFeesSf: 145293795390706311569132786n,
  pendingReferrerFeesSf: 30783800354668974997840318n,
  absoluteReferralRateSf: 23058430092136939n,
};

const ACCRUED_BEFORE_1_17 = {
  ...LEGACY_ACCRUED,
  borrowedAmountSf: 73605816680009718007623082181524n,
  cumulativeBorrowRate: 1423397583378696040n,
  accumulatedProtocolFeesSf: 181329218712593558456210349n,
  pendingReferrerFeesSf: 38479802589344680258635864n,
};

test('9000 slots and 3600 seconds charge a reserve by its basis', () => {
  const input = vectorInput(9_000n, 3_600n);
  expect(accrueReserve(vectorReserve(LEGACY), input)).toEqual(LEGACY_ACCRUED);
  expect(accrueReserve(vectorReserve(TRUE_APR), input)).toEqual(TRUE_APR_ACCRUED);
});

test('before release 1.25 the basis means nothing, before 1.17 the growth is smaller', () => {
  const input = (version: string) => vectorInput(9_000n, 3_600n, releaseRules(version));
  for (const basis of [LEGACY, TRUE_APR, 2]) {
    expect(accrueReserve(vectorReserve(basis), input('1.24'))).toEqual(LEGACY_ACCRUED);
    expect(accrueReserve(vectorReserve(basis), input('1.17'))).toEqual(LEGACY_ACCRUED);
    expect(accrueReserve(vectorReserve(basis), input('1.16'))).toEqual(ACCRUED_BEFORE_1_17);
  }
});

test('per second nothing is charged within a second, nor from an account without a time', () => {
  const reserve = vectorReserve(TRUE_APR);
  expect(accrueReserve(reserve, vectorInput(3n, 0n))).toEqual(UNCHANGED);
  const neverUpdated = withTimestamp(reserve, 0n);
  expect(accrueReserve(neverUpdated, vectorInput(9_000n, 3_600n))).toEqual(UNCHANGED);
});

test('an unknown basis fails', () => {
  const accrue = () => accrueReserve(vectorReserve(2), vectorInput(9_000n, 3_600n));
  expect(catchError(accrue)?.code).toBe('MALFORMED_DATA');
});

/** A reserve of any size and utilization, of either basis. */
const anyReserve = fc
  .record({
    basis: fc.constantFrom(LEGACY, TRUE_APR),
    available: fc.bigInt(0n, 10n ** 15n),
    debt: fc.bigInt(0n, 10n ** 33n),
    take: fc.integer({ min: 0, max: 100 }),
    host: fc.integer({ min: 0, max: 2_000 }),
    perUnit: fc.bigInt(0n, 10n ** 9n),
  })
  .map(({ basis, available, debt, take, host, perUnit }): Reserve => {
    const { liquidity, config, ...rest } = vectorReserve(basis);
    return {
      ...rest,
      liquidity: {
        ...liquidity,
        totalAvailableAmount: toLamports(available + 1_000_000n),
        borrowedAmountSf: sfFromBits(debt),
      },
      config: {
        ...config,
        protocolTakeRatePct: take,
        hostFixedInterestRateBps: host,
        rewardsAmountPerAccrualUnit: toLamports(perUnit),
      },
    };
  });

/** Slots and seconds that do not advance together. */
const anyTime = fc.record({
  slots: fc.oneof(fc.bigInt(0n, 6n), fc.bigInt(0n, 10_000_000n)),
  seconds: fc.oneof(fc.bigInt(-5n, 6n), fc.bigInt(0n, 4_000_000n)),
});

test('property: every figure is that of an independent model, for both bases', () => {
  assertProperty(
    fc.property(anyReserve, anyTime, (reserve, { slots, seconds }) => {
      const input = vectorInput(slots, seconds);
      const expected = referenceAccrual(reserve, input.time, vectorMarket());
      const accrued = accrueReserve(reserve, input);
      expect(accrued).toEqual({
        totalAvailableAmount: expected.available,
        rewardsAmountAvailable: expected.rewards,
        borrowedAmountSf: expected.debt,
        cumulativeBorrowRate: expected.cumulative,
        accumulatedProtocolFeesSf: expected.protocolFees,
        pendingReferrerFeesSf: expected.pendingFees,
        absoluteReferralRateSf: expected.referralRate,
      });
    }),
    200,
  );
});
