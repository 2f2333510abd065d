import { bsf } from '../../../base/encoding/branded-fields.ts';
import { padding, struct } from '../../../base/encoding/layout.ts';

/** 16 bytes of padding follow the 256 bits. */
export const bigFraction = struct({
  value: bsf,
  padding: padding(16),
});
