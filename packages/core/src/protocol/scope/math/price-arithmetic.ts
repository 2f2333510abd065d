import type { View } from '../../../base/encoding/layout.ts';
import { CodedError } from '../../../base/errors.ts';
import { WAD } from '../../../base/numbers/decimal-wad.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import type { price } from '../layout/oracle-prices.ts';

/** `value / 10^exp`. */
export type Price = View<typeof price>;

/** The price times 10^18, rounded down. */
export function priceToWad({ value, exp }: Price): bigint {
  if (exp > 38n) throw new CodedError('MATH_OVERFLOW', { what: 'power of ten', bits: 128 });
  return (value * WAD) / 10n ** exp;
}

/** With 18 significant digits and at most 18 decimals, rounded half up. */
export function priceFromWad(scaled: bigint): Price {
  const whole = roundWad(scaled);
  const digits = whole === 0n ? 0 : whole.toString().length;
  const exp = BigInt(Math.max(0, 18 - digits));
  return { value: fitU64(roundWad(scaled * 10n ** exp)), exp };
}

/** Beyond this difference of decimals the program compares the decimals only, even for zero. */
const MAX_EXP_DIFFERENCE = 19n;

/** Negative if `a` is smaller, positive if it is larger. */
export function comparePrices(a: Price, b: Price): number {
  const difference = a.exp - b.exp;
  if (difference > MAX_EXP_DIFFERENCE) return -1;
  if (difference < -MAX_EXP_DIFFERENCE) return 1;
  const left = difference < 0n ? a.value * 10n ** -difference : a.value;
  const right = difference > 0n ? b.value * 10n ** difference : b.value;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

const roundWad = (value: bigint): bigint => (value + WAD / 2n) / WAD;

function fitU64(value: bigint): bigint {
  if (value > U64_MAX) throw new CodedError('MATH_OVERFLOW', { what: 'average price', bits: 64 });
  return value;
}
