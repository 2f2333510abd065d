import { slot } from '../../../base/encoding/branded-fields.ts';
import { padding, struct, u8 } from '../../../base/encoding/layout.ts';

export const lastUpdate = struct({
  slot,
  /** Every operation sets it, and a refresh clears it. */
  stale: u8,
  /** Bits of the passed price checks: 1 loaded, 2 age, 4 TWAP, 8 TWAP age, 16 bounds, 32 usage. All are 63. */
  priceStatus: u8,
  placeholder: padding(6),
});
