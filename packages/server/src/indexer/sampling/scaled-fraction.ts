import { ONE_SF, type Ratio } from '@tidegate/core/base';

/** In 60 bits of fraction, what is beyond them cut off. */
export const toScaledFraction = ({ numerator, denominator }: Ratio): bigint =>
  (numerator * ONE_SF) / denominator;
