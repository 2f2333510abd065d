import type { Brand } from '../brand.ts';
import type { Ratio } from './decimal.ts';

/**
 * A sum over any number of steps: the value times 10^60. Exact fractions would grow with every step; this costs
 * the same for each, and what it drops is 20 digits behind what is printed of a whole.
 */
export type FixedDecimal = Brand<bigint, 'Scaled'>;

const SCALE = 10n ** 60n;

export const ZERO_FIXED_DECIMAL = 0n as FixedDecimal;

/** A sum that was kept. */
export const fixedDecimalFromBits = (bits: bigint): FixedDecimal => bits as FixedDecimal;

/** Rounded toward zero. */
export const fixedDecimalFromRatio = ({ numerator, denominator }: Ratio): FixedDecimal =>
  ((numerator * SCALE) / denominator) as FixedDecimal;

export const addFixedDecimals = (a: FixedDecimal, b: FixedDecimal): FixedDecimal =>
  (a + b) as FixedDecimal;

export const subFixedDecimals = (a: FixedDecimal, b: FixedDecimal): FixedDecimal =>
  (a - b) as FixedDecimal;

/** A part of it, rounded toward zero. */
export const mulFixedDecimalByRatio = (
  a: FixedDecimal,
  part: bigint,
  whole: bigint,
): FixedDecimal => (whole === 0n ? 0n : (a * part) / whole) as FixedDecimal;

/** The nearest with 50 decimals: ten billion steps drop less than the last of them. */
export const fixedDecimalToRatio = (value: FixedDecimal): Ratio => roundFixedDecimal(value, 50n);

/** The nearest with that many decimals, half away from zero. */
export function roundFixedDecimal(value: FixedDecimal, decimals: bigint): Ratio {
  const denominator = 10n ** decimals;
  const unit = SCALE / denominator;
  const half = value < 0n ? -unit / 2n : unit / 2n;
  return { numerator: (value + half) / unit, denominator };
}
