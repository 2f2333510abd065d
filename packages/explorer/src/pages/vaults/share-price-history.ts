import type { VaultMetricsPoint } from '@tidegate/client';
import { compareDecimals } from '@tidegate/client';
import type { ChartData } from '../../charts/chart-data.ts';

type SharePoint = Pick<VaultMetricsPoint, 'timestamp' | 'sharePrice'>;

/** Dollars per share over time. A vault without shares has no price: a gap. */
export const sharePriceHistory = (points: readonly SharePoint[]): ChartData => ({
  positions: points.map(({ timestamp }) => Date.parse(timestamp)),
  unit: 'price',
  series: [
    {
      label: 'Share',
      color: 1,
      values: points.map(({ sharePrice }) =>
        compareDecimals(sharePrice, '0') === 0 ? null : sharePrice,
      ),
    },
  ],
});
