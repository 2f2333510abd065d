import type { Ratio } from '../base/decimal.ts';
import { ONE_SF } from '../base/fixed.ts';

/** In 60 bits of fraction, what is beyond them cut off. */
export const toSf = ({ numerator, denominator }: Ratio): bigint =>
  (numerator * ONE_SF) / denominator;
