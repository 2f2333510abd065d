import { formatRatio, type Ratio, SERIES_DIGITS } from '@tidegate/core/base';

/** An exact value of a stored series as text. */
export const formatSeriesRatio = (value: Ratio): string => formatRatio(value, SERIES_DIGITS);
