import { ONE_SF, type Ratio } from '@tidegate/core/base';

/** Scales by 2^60 and truncates. */
export const toScaledFraction = ({ numerator, denominator }: Ratio): bigint =>
  (numerator * ONE_SF) / denominator;
