import {
  bucketStart,
  defaultFrequency,
  formatInstant,
  formatRatio,
  SERIES_DIGITS,
  toAddress,
} from '@tidegate/core/base';
import { type Static, Type } from 'typebox';
import { readSeries } from '../../history/queries/time-series.ts';
import type { SeriesRow } from '../../history/schema/series-tables.ts';
import { defineOperation } from '../../http/operation.ts';
import {
  AddressString,
  ClusterNameString,
  DecimalString,
  IsoInstant,
} from '../../http/schemas/primitives.ts';
import type { Feature } from '../feature-context.ts';
import { setSampleGapsHeader } from '../history-query/history-gaps.ts';
import { parseQueryRange, requireHistory } from '../history-query/history-query.ts';
import { createRangeWeight, RANGE_WEIGHT_DESCRIPTION } from '../history-query/range-weight.ts';
import { EndString, StartString } from '../history-query/time-range-schema.ts';

const MarketPoint = Type.Object(
  {
    market: AddressString,
    timestamp: IsoInstant,
    metrics: Type.Object({
      borrowTVL: DecimalString,
      depositTVL: DecimalString,
      obligations: Type.Integer(),
    }),
  },
  { title: 'MarketPoint' },
);

/** Longer ranges have daily points. */
const MAX_HOURLY_DAYS = 90n;

export const getMarketHistory: Feature =
  ({ clusters, clock }) =>
  async (app) => {
    app.get(
      '/svc-market/:pubkey/metrics/history',
      defineOperation(
        {
          operationId: 'getMarketHistory',
          tag: 'lending',
          summary: 'Metrics history of a market',
          description: `Values in USD over all reserves, and the number of loans with a deposit or a debt. Each point is the last snapshot of an hour, or of a day if the range is longer than ${MAX_HOURLY_DAYS} days; \`timestamp\` is the time of the snapshot. \`x-gaps\` lists the times without snapshots. ${RANGE_WEIGHT_DESCRIPTION}`,
          weight: 1,
          weightOf: createRangeWeight(clock, (range) => defaultFrequency(range, MAX_HOURLY_DAYS)),
          statuses: [500],
        },
        {
          params: Type.Object({ pubkey: AddressString }),
          querystring: Type.Object({
            env: Type.Optional(ClusterNameString),
            start: Type.Optional(StartString),
            end: Type.Optional(EndString),
          }),
          response: Type.Array(MarketPoint),
        },
      ),
      async ({ params, query }, reply) => {
        const cluster = clusters.requireLoaded(query.env);
        const range = parseQueryRange(query, { now: cluster.reader.at().unix });
        const history = requireHistory(cluster);
        await setSampleGapsHeader(reply, history, range);
        const resolution = defaultFrequency(range, MAX_HOURLY_DAYS);
        const series = { kind: 'market', resolution, subject: toAddress(params.pubkey) } as const;
        const points: Static<typeof MarketPoint>[] = [];
        const buckets = { from: bucketStart(range.start, resolution), to: range.end };
        for await (const rows of readSeries(history, series, buckets)) {
          const inRange = rows.filter(({ at }) => at >= range.start && at < range.end);
          points.push(...inRange.map(marketPointJson));
        }
        return points;
      },
    );
  };

function marketPointJson(row: SeriesRow<'market'>): Static<typeof MarketPoint> {
  return {
    market: row.subject,
    timestamp: formatInstant(row.at),
    metrics: {
      borrowTVL: formatRatio(row.borrowTvl, SERIES_DIGITS),
      depositTVL: formatRatio(row.depositTvl, SERIES_DIGITS),
      obligations: row.obligations,
    },
  };
}
