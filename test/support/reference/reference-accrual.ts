import type { Reserve } from '#core/protocol/klend/layout/reserve.ts';

/** Fractions of the program: scaled by 2^60, every product and quotient rounded down. No code under test is used. */
const ONE = 1n << 60n;
const MOST = (1n << 128n) - 1n;
const SECONDS_PER_YEAR = 365n * 86_400n;

const referenceMul = (a: bigint, b: bigint): bigint => (a * b) >> 60n;
const bps = (value: number): bigint => (BigInt(value) << 60n) / 10_000n;
const percent = (value: number): bigint => (BigInt(value) << 60n) / 100n;

export type ReferenceTime = { readonly slot: bigint; readonly unix: bigint };

/** `perYear`: how many of the units make a year of the program. */
export type ReferenceDuration = { readonly units: bigint; readonly perYear: bigint };

/** Slots of which two make a second, or seconds since a time that is not 0; time that runs backwards does not count. */
export function referenceDuration(
  basis: number,
  last: { readonly slot: bigint; readonly timestamp: number },
  now: ReferenceTime,
): ReferenceDuration {
  if (basis === 0) return { units: now.slot - last.slot, perYear: 2n * SECONDS_PER_YEAR };
  if (basis !== 1) throw new Error(`the program panics at the basis ${basis}`);
  const seconds = last.timestamp === 0 ? 0n : now.unix - BigInt(last.timestamp);
  return { units: seconds < 0n ? 0n : seconds, perYear: SECONDS_PER_YEAR };
}

/** The growth since release 1.17: powers up to four units, then three terms of the binomial series. */
function referenceGrowth(rate: bigint, { units: n, perYear }: ReferenceDuration): bigint {
  const each = rate / perYear;
  const once = ONE + each;
  const twice = referenceMul(once, once);
  const exact = [ONE, once, twice, referenceMul(twice, once), referenceMul(twice, twice)];
  const small = n < 5n ? exact[Number(n)] : undefined;
  if (small !== undefined) return small;
  const linear = each * n;
  const square = (referenceMul(linear, each) * (n - 1n)) / 2n;
  const cube = (referenceMul(square, each) * (n - 2n)) / 3n;
  return ONE + linear + square + cube;
}

/** Linear between two points, constant within half a basis point of each. */
export function referenceCurve(config: Reserve['config'], utilization: bigint): bigint {
  const used = utilization > ONE ? ONE : utilization;
  const rounded = (used * 10_000n + ONE / 2n) / ONE;
  const { points } = config.borrowRateCurve;
  for (const [i, to] of points.entries()) {
    const from = points[i - 1];
    if (from === undefined) continue;
    const [x0, x1] = [BigInt(from.utilizationRateBps), BigInt(to.utilizationRateBps)];
    if (rounded < x0 || rounded > x1) continue;
    if (rounded === x0) return bps(from.borrowRateBps);
    if (rounded === x1) return bps(to.borrowRateBps);
    const rise = BigInt(to.borrowRateBps - from.borrowRateBps);
    return ((used - bps(from.utilizationRateBps)) * rise) / (x1 - x0) + bps(from.borrowRateBps);
  }
  throw new Error('beyond the curve');
}

export type ReferenceTerms = {
  readonly referralFeeBps: number;
  readonly reserveRewardsMaxAprBps: number;
};

export type ReferenceAccrual = {
  readonly available: bigint;
  readonly rewards: bigint;
  readonly debt: bigint;
  readonly cumulative: bigint;
  readonly protocolFees: bigint;
  readonly pendingFees: bigint;
  readonly referralRate: bigint;
  /** Scaled like the debt. */
  readonly supply: bigint;
};

/** A reserve after a refresh under release 1.25: first interest, then rewards. */
export function referenceAccrual(
  { liquidity, config, lastUpdate, collateral }: Reserve,
  now: ReferenceTime,
  terms: ReferenceTerms,
): ReferenceAccrual {
  const duration = referenceDuration(config.interestRateBasis, lastUpdate, now);
  const before = {
    available: liquidity.totalAvailableAmount as bigint,
    rewards: liquidity.rewardsAmountAvailable as bigint,
    debt: liquidity.borrowedAmountSf as bigint,
    cumulative: liquidity.cumulativeBorrowRateBsf.value as bigint,
    protocolFees: liquidity.accumulatedProtocolFeesSf as bigint,
    pendingFees: liquidity.pendingReferrerFeesSf as bigint,
    referralRate: liquidity.absoluteReferralRateSf as bigint,
  };
  const supplyOf = ({ available, debt, protocolFees, pendingFees }: typeof before): bigint =>
    (available << 60n) + debt - protocolFees - pendingFees - liquidity.accumulatedReferrerFeesSf;
  if (duration.units === 0n) return { ...before, supply: supplyOf(before) };
  const oldSupply = supplyOf(before);
  const utilization = oldSupply === 0n ? 0n : (before.debt << 60n) / oldSupply;
  const host = bps(config.hostFixedInterestRateBps);
  const growth = referenceGrowth(referenceCurve(config, utilization) + host, duration);
  const debt = referenceMul(before.debt, growth);
  const fixed = referenceMul(before.debt, referenceGrowth(host, duration)) - before.debt;
  const variable = debt - before.debt - fixed;
  const take = percent(config.protocolTakeRatePct);
  const referralRate = referenceMul(take, bps(terms.referralFeeBps));
  const referred = referenceMul(variable, referralRate);
  const charged = {
    ...before,
    debt,
    cumulative: referenceMul(before.cumulative, growth),
    protocolFees: before.protocolFees + fixed + referenceMul(variable, take) - referred,
    pendingFees: before.pendingFees + referred,
    referralRate,
  };
  const paid = rewardsOf(charged.rewards, supplyOf(charged) >> 60n, {
    duration,
    perUnit: config.rewardsAmountPerAccrualUnit,
    cTokens: collateral.mintTotalSupply,
    maxAprBps: BigInt(terms.reserveRewardsMaxAprBps),
  });
  const rewarded = {
    ...charged,
    available: charged.available + paid,
    rewards: charged.rewards - paid,
  };
  return { ...rewarded, supply: supplyOf(rewarded) };
}

type Rewards = {
  readonly duration: ReferenceDuration;
  readonly perUnit: bigint;
  readonly cTokens: bigint;
  readonly maxAprBps: bigint;
};

function rewardsOf(
  available: bigint,
  supply: bigint,
  { duration, perUnit, cTokens, maxAprBps }: Rewards,
): bigint {
  if (cTokens === 0n) return 0n;
  const configured = smaller(perUnit * duration.units, MOST);
  const yearly = smaller(smaller(supply * maxAprBps, MOST) * duration.units, MOST);
  return smaller(smaller(configured, yearly / (10_000n * duration.perYear)), available);
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The account after the refresh, with its fields. */
export function referenceRefresh(
  reserve: Reserve,
  now: ReferenceTime,
  terms: ReferenceTerms,
): Reserve {
  const accrued = referenceAccrual(reserve, now, terms);
  const { liquidity, lastUpdate } = reserve;
  // The brands of the layout mean units, which are the same here.
  return {
    ...reserve,
    lastUpdate: { ...lastUpdate, slot: now.slot, timestamp: Number(now.unix) },
    liquidity: {
      ...liquidity,
      totalAvailableAmount: accrued.available,
      rewardsAmountAvailable: accrued.rewards,
      borrowedAmountSf: accrued.debt,
      accumulatedProtocolFeesSf: accrued.protocolFees,
      pendingReferrerFeesSf: accrued.pendingFees,
      absoluteReferralRateSf: accrued.referralRate,
      cumulativeBorrowRateBsf: {
        ...liquidity.cumulativeBorrowRateBsf,
        value: accrued.cumulative,
      },
    },
  } as Reserve;
}
