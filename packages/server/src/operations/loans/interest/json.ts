import type { InterestPoint } from '@tidegate/core/views/series';
import { toEpochMillis } from '../../../support/decimals/live-decimals.ts';
import { formatSeriesRatio } from '../../../support/decimals/series-decimals.ts';

export const interestPointJson = ({ at, parts }: InterestPoint) =>
  Object.fromEntries(
    parts.map(({ reserve, tokens, usd, sol }) => [
      reserve,
      {
        ts: toEpochMillis(at),
        solFees: formatSeriesRatio(sol),
        usdFees: formatSeriesRatio(usd),
        nativeFees: formatSeriesRatio(tokens),
      },
    ]),
  );
