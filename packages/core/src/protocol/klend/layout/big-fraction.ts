import { bsf } from '../../../base/encoding/branded-fields.ts';
import { padding, struct } from '../../../base/encoding/layout.ts';

/** The program keeps 16 spare bytes behind the 256 bits. */
export const bigFraction = struct({
  value: bsf,
  padding: padding(16),
});
