import { slot } from '../../../base/encoding/branded-fields.ts';
import { bits, flag } from '../../../base/encoding/known-values.ts';
import { padding, struct, u8, u32 } from '../../../base/encoding/layout.ts';

export const lastUpdate = struct({
  slot,
  /** Every operation sets it, and a refresh clears it. */
  stale: flag(u8),
  /** Bits of the passed price checks: 1 loaded, 2 age, 4 TWAP, 8 TWAP age, 16 bounds, 32 usage. All are 63. */
  priceStatus: bits(u8, 63),
  padding: padding(2),
  /** Unix time of the last update; 0 before the first one of release 1.25. */
  timestamp: u32,
});
