import {
  addSf,
  divSfByInt,
  mulSf,
  mulSfByInt,
  ONE_SF,
  type Sf,
} from '../../../../base/numbers/scaled-fraction.ts';
import type { LendingRules } from '../../lending-rules.ts';
import type { AccrualDuration } from './accrual-duration.ts';

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
