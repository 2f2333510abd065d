import { formatRatio, type Ratio, SERIES_DIGITS } from '@tidegate/core/base';

/** Formats a value of a recorded series. */
export const formatSeriesRatio = (value: Ratio): string => formatRatio(value, SERIES_DIGITS);
