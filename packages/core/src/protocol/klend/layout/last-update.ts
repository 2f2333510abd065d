import { slot } from '../../../base/encoding/branded-fields.ts';
import { padding, struct, u8 } from '../../../base/encoding/layout.ts';

export const lastUpdate = struct({
  slot,
  /** Set by every operation, cleared by a refresh. */
  stale: u8,
  /** Price checks passed, one bit each: 1 loaded, 2 age, 4 TWAP, 8 TWAP age, 16 bounds, 32 usage; all are 63. */
  priceStatus: u8,
  placeholder: padding(6),
});
