import type { Decoded } from '../../base/encoding/layout.ts';
import { CodedError } from '../../base/errors.ts';
import { type Ratio, ratio } from '../../base/numbers/decimal.ts';
import type { UnixSeconds } from '../../base/time.ts';
import type { scaledUiAmountConfig } from './layout/extension-layouts.ts';

const FRACTION_BITS = 52n;
const EXPONENT_MASK = 0x7ffn;
const BIAS = 1023n;

/** The exact factor of displayed amounts. The new multiplier applies from its timestamp. */
export function scaledUiMultiplierAt(
  config: Decoded<typeof scaledUiAmountConfig>,
  unix: UnixSeconds,
): Ratio {
  const isNew = unix >= config.newMultiplierEffectiveTimestamp;
  return ratioOfFloat64(isNew ? config.newMultiplier : config.multiplier);
}

/** Converts the 64 bits of a double to its exact value. */
export function ratioOfFloat64(bits: bigint): Ratio {
  const exponent = (bits >> FRACTION_BITS) & EXPONENT_MASK;
  const fraction = bits & ((1n << FRACTION_BITS) - 1n);
  if (exponent === EXPONENT_MASK) {
    throw new CodedError('MALFORMED_DATA', {
      what: 'multiplier',
      reason: 'it is not a finite number',
    });
  }
  // subnormal numbers have no implicit leading one
  const magnitude = exponent === 0n ? fraction : fraction | (1n << FRACTION_BITS);
  const shift = (exponent === 0n ? 1n : exponent) - BIAS - FRACTION_BITS;
  const signed = bits >> 63n === 1n ? -magnitude : magnitude;
  return shift >= 0n ? ratio(signed << shift, 1n) : ratio(signed, 1n << -shift);
}
