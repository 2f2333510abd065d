import { padding, struct } from '../../../base/layout.ts';
import { bsf } from '../../../base/unit-fields.ts';

/** The program keeps 16 spare bytes behind the 256 bits. */
export const bigFraction = struct({
  value: bsf,
  padding: padding(16),
});
