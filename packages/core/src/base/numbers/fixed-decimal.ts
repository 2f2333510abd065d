import type { Brand } from '../brand.ts';
import type { Ratio } from './decimal.ts';

/**
 * A running sum: the value times 10^60. Exact fractions grow with every addition, but this has a constant cost.
 * The rounding error is 20 digits below the printed precision.
 */
export type FixedDecimal = Brand<bigint, 'Scaled'>;

const SCALE = 10n ** 60n;

export const ZERO_FIXED_DECIMAL = 0n as FixedDecimal;

/** Restores a stored sum. */
export const fixedDecimalFromBits = (bits: bigint): FixedDecimal => bits as FixedDecimal;

/** Rounded toward zero. */
export const fixedDecimalFromRatio = ({ numerator, denominator }: Ratio): FixedDecimal =>
  ((numerator * SCALE) / denominator) as FixedDecimal;

export const addFixedDecimals = (a: FixedDecimal, b: FixedDecimal): FixedDecimal =>
  (a + b) as FixedDecimal;

export const subFixedDecimals = (a: FixedDecimal, b: FixedDecimal): FixedDecimal =>
  (a - b) as FixedDecimal;

/** `a * part / whole`, rounded toward zero. Zero if `whole` is zero. */
export const mulFixedDecimalByRatio = (
  a: FixedDecimal,
  part: bigint,
  whole: bigint,
): FixedDecimal => (whole === 0n ? 0n : (a * part) / whole) as FixedDecimal;

/** Rounds to 50 decimals. Ten billion additions lose less than the last of them. */
export const fixedDecimalToRatio = (value: FixedDecimal): Ratio => roundFixedDecimal(value, 50n);

/** Rounds to `decimals` decimals, half away from zero. */
export function roundFixedDecimal(value: FixedDecimal, decimals: bigint): Ratio {
  const denominator = 10n ** decimals;
  const unit = SCALE / denominator;
  const half = value < 0n ? -unit / 2n : unit / 2n;
  return { numerator: (value + half) / unit, denominator };
}
