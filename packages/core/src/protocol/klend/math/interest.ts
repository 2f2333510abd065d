import {
  addSf,
  divSfByInt,
  mulSf,
  mulSfByInt,
  ONE_SF,
  type Sf,
} from '../../../base/numbers/scaled-fraction.ts';

/** The program assumes two slots per second, whatever the real slot time is. */
export const SLOTS_PER_YEAR = 2n * 60n * 60n * 24n * 365n;

/** The length of a slot that follows from it. */
export const PROGRAM_SLOT_MS = 500n;

/**
 * The growth factor of a debt over `elapsedSlots` at a yearly `rate`.
 *
 * Uses exact powers up to four slots, then the first three terms of the binomial expansion. Every step truncates like
 * the program. Below about 5.87 % per year the square of the rate per slot is zero, so interest between two refreshes
 * is simple.
 */
export function compoundedInterest(rate: Sf, elapsedSlots: bigint): Sf {
  const perSlot = divSfByInt(rate, SLOTS_PER_YEAR);
  if (elapsedSlots <= 4n) return exactPower(addSf(ONE_SF, perSlot), elapsedSlots);

  const n = elapsedSlots;
  const squared = mulSf(perSlot, perSlot);
  const cubed = mulSf(squared, perSlot);
  const first = mulSfByInt(perSlot, n);
  const second = divSfByInt(mulSfByInt(squared, n * (n - 1n)), 2n);
  const third = divSfByInt(mulSfByInt(cubed, n * (n - 1n) * (n - 2n)), 6n);
  return addSf(addSf(ONE_SF, first), addSf(second, third));
}

/** The order of multiplication affects rounding: for four slots the program squares the square. */
function exactPower(base: Sf, exponent: bigint): Sf {
  if (exponent === 0n) return ONE_SF;
  if (exponent === 1n) return base;
  const squared = mulSf(base, base);
  if (exponent === 2n) return squared;
  return exponent === 3n ? mulSf(squared, base) : mulSf(squared, squared);
}
