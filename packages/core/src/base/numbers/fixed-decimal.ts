import type { Brand } from '../brand.ts';
import type { Ratio } from './decimal.ts';

/**
 * A sum over any number of steps: the value times 10^60. Exact fractions would grow with every step; this costs
 * the same for each, and what it drops is 20 digits behind what is printed of a whole.
 */
export type Scaled = Brand<bigint, 'Scaled'>;

const SCALE = 10n ** 60n;

export const ZERO_SCALED = 0n as Scaled;

/** A sum that was kept. */
export const scaledFromBits = (bits: bigint): Scaled => bits as Scaled;

/** Rounded toward zero. */
export const scaledOf = ({ numerator, denominator }: Ratio): Scaled =>
  ((numerator * SCALE) / denominator) as Scaled;

export const addScaled = (a: Scaled, b: Scaled): Scaled => (a + b) as Scaled;

export const subScaled = (a: Scaled, b: Scaled): Scaled => (a - b) as Scaled;

/** A part of it, rounded toward zero. */
export const partOfScaled = (a: Scaled, part: bigint, whole: bigint): Scaled =>
  (whole === 0n ? 0n : (a * part) / whole) as Scaled;

/** The nearest with 50 decimals: ten billion steps drop less than the last of them. */
export const ratioOfScaled = (value: Scaled): Ratio => roundScaled(value, 50n);

/** The nearest with that many decimals, half away from zero. */
export function roundScaled(value: Scaled, decimals: bigint): Ratio {
  const denominator = 10n ** decimals;
  const unit = SCALE / denominator;
  const half = value < 0n ? -unit / 2n : unit / 2n;
  return { numerator: (value + half) / unit, denominator };
}
