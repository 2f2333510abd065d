import type { Decoded } from '../../base/encoding/layout.ts';
import { CodedError } from '../../base/errors.ts';
import { type Ratio, ratio } from '../../base/numbers/decimal.ts';
import type { UnixSeconds } from '../../base/time.ts';
import type { scaledUiAmountConfig } from './layout/extension-layouts.ts';

const FRACTION_BITS = 52n;
const EXPONENT_MASK = 0x7ffn;
const BIAS = 1023n;

/** How many tokens wallets show for one, exactly. The new multiplier holds from its second on. */
export function scaledUiMultiplierAt(
  config: Decoded<typeof scaledUiAmountConfig>,
  unix: UnixSeconds,
): Ratio {
  const isNew = unix >= config.newMultiplierEffectiveTimestamp;
  return ratioOfFloat64(isNew ? config.newMultiplier : config.multiplier);
}

/** The value of a double from its 64 bits: a whole number times a power of two, nothing rounded. */
export function ratioOfFloat64(bits: bigint): Ratio {
  const exponent = (bits >> FRACTION_BITS) & EXPONENT_MASK;
  const fraction = bits & ((1n << FRACTION_BITS) - 1n);
  if (exponent === EXPONENT_MASK) {
    throw new CodedError('MALFORMED_DATA', { what: 'multiplier', reason: 'not a finite number' });
  }
  // below the smallest normal number there is no leading one
  const magnitude = exponent === 0n ? fraction : fraction | (1n << FRACTION_BITS);
  const shift = (exponent === 0n ? 1n : exponent) - BIAS - FRACTION_BITS;
  const signed = bits >> 63n === 1n ? -magnitude : magnitude;
  return shift >= 0n ? ratio(signed << shift, 1n) : ratio(signed, 1n << -shift);
}
