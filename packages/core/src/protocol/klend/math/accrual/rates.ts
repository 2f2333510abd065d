import { aprToApy } from '../../../../base/numbers/apy.ts';
import type { Ratio } from '../../../../base/numbers/decimal.ts';
import {
  addSf,
  divSfByInt,
  mulSf,
  mulSfByInt,
  ONE_SF,
  type Sf,
  sfFromBps,
} from '../../../../base/numbers/scaled-fraction.ts';
import type { ReserveView } from '../../layout/reserve.ts';
import type { LendingRules } from '../../lending-rules.ts';
import { borrowRate } from '../borrow-curve.ts';
import { utilization } from '../supply.ts';
import {
  type AccrualDuration,
  type InterestRateBasis,
  PROGRAM_SLOT_MS,
} from './accrual-duration.ts';

type Source = {
  readonly config: Pick<
    ReserveView['config'],
    'borrowRateCurve' | 'hostFixedInterestRateBps' | 'protocolTakeRatePct'
  >;
  readonly liquidity: Parameters<typeof utilization>[0];
  /** Before release 1.25 always `legacy`, whatever the configuration says. */
  readonly basis: InterestRateBasis;
};

/** Yearly interest rates as fractions. APR is simple, APY compounds every slot. */
export type ReserveRates = {
  readonly utilization: Sf;
  readonly borrowApr: Ratio;
  readonly supplyApr: Ratio;
  readonly borrowApy: Ratio;
  readonly supplyApy: Ratio;
};

/**
 * The rates of borrowers and lenders per real year. Accrue the reserve to the slot first. `slotMs` is the real slot
 * time, for a reserve that charges per slot. A fixed-term reserve follows its curve like any other: its term limits how long
 * a debt may last, not what it costs.
 */
export function reserveRates(source: Source, slotMs: Ratio): ReserveRates {
  const { config, liquidity, basis } = source;
  const utilizationRate = utilization(liquidity);
  const curve = borrowRate(config.borrowRateCurve.points, utilizationRate);
  const host = sfFromBps(BigInt(config.hostFixedInterestRateBps));
  const lenderShare = 100n - BigInt(config.protocolTakeRatePct);
  const perYear = (numerator: bigint, denominator: bigint): Ratio =>
    perRealYear({ numerator, denominator }, basis, slotMs);
  const borrowApr = perYear(curve + host, ONE_SF);
  const supplyApr = perYear(utilizationRate * curve * lenderShare, ONE_SF * ONE_SF * 100n);
  return new LazyRates(utilizationRate, borrowApr, supplyApr);
}

/** A yearly rate of the program per real year: a reserve that charges per slot charges more if slots are shorter. */
export function perRealYear(rate: Ratio, basis: InterestRateBasis, slotMs: Ratio): Ratio {
  if (basis === 'trueApr') return rate;
  return {
    numerator: rate.numerator * PROGRAM_SLOT_MS * slotMs.denominator,
    denominator: rate.denominator * slotMs.numerator,
  };
}

/** APYs are computed when they are read, because the power is expensive. A literal with getters takes 3 µs to create. */
class LazyRates implements ReserveRates {
  readonly utilization: Sf;
  readonly borrowApr: Ratio;
  readonly supplyApr: Ratio;

  constructor(utilizationRate: Sf, borrowApr: Ratio, supplyApr: Ratio) {
    this.utilization = utilizationRate;
    this.borrowApr = borrowApr;
    this.supplyApr = supplyApr;
  }

  get borrowApy(): Ratio {
    return aprToApy(this.borrowApr);
  }

  get supplyApy(): Ratio {
    return aprToApy(this.supplyApr);
  }
}

/**
 * The growth factor of a debt over a duration at a yearly `rate`. Uses exact powers up to four units, then the first three
 * terms of the binomial expansion. Every step truncates like the program.
 */
export function compoundedInterest(
  rate: Sf,
  { units, unitsPerYear }: AccrualDuration,
  { compounding }: Pick<LendingRules, 'compounding'>,
): Sf {
  const perUnit = divSfByInt(rate, unitsPerYear);
  if (units <= 4n) return exactPower(addSf(ONE_SF, perUnit), units);
  const growth = compounding === 'powers first' ? growthOfPowers : growthOfTerms;
  return addSf(ONE_SF, growth(perUnit, units));
}

/** Each term is the one before, times the rate and the next factor of the binomial coefficient. */
function growthOfTerms(perUnit: Sf, n: bigint): Sf {
  const first = mulSfByInt(perUnit, n);
  const second = divSfByInt(mulSfByInt(mulSf(first, perUnit), n - 1n), 2n);
  const third = divSfByInt(mulSfByInt(mulSf(second, perUnit), n - 2n), 3n);
  return addSf(first, addSf(second, third));
}

/** Before release 1.17. Below about 5.87 % per year the square of the rate per slot is zero, so interest is simple. */
function growthOfPowers(perUnit: Sf, n: bigint): Sf {
  const squared = mulSf(perUnit, perUnit);
  const cubed = mulSf(squared, perUnit);
  const first = mulSfByInt(perUnit, n);
  const second = divSfByInt(mulSfByInt(squared, n * (n - 1n)), 2n);
  const third = divSfByInt(mulSfByInt(cubed, n * (n - 1n) * (n - 2n)), 6n);
  return addSf(first, addSf(second, third));
}

/** The order of multiplication affects rounding: for four units the program squares the square. */
function exactPower(base: Sf, exponent: bigint): Sf {
  if (exponent === 0n) return ONE_SF;
  if (exponent === 1n) return base;
  const squared = mulSf(base, base);
  if (exponent === 2n) return squared;
  return exponent === 3n ? mulSf(squared, base) : mulSf(squared, squared);
}
