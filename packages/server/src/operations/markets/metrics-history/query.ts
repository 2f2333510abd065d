import { type Address, formatInstant, formatRatio, SERIES_DIGITS } from '@tidegate/core/base';
import { hasPositions, viewMarketPoint } from '@tidegate/core/views/series';
import type { Static } from 'typebox';
import { readSeries } from '../../../history/queries/time-series.ts';
import { bucketOf, type SeriesRow } from '../../../history/schema/series-tables.ts';
import type { HistoryPoints, PointsRequest } from '../../../support/history/define-history.ts';
import { EMPTY_SERIES_SPAN } from '../../../support/history/history-chunk-cache.ts';
import { marketCache } from '../../../support/pricing/market-cache.ts';
import type { MarketPoint } from './schema.ts';

type Request = PointsRequest<Address, 'hour' | 'day'>;

export const marketSeries = ({ subject, frequency }: Pick<Request, 'subject' | 'frequency'>) =>
  ({ kind: 'market', resolution: frequency, subject }) as const;

/** A point has the time of its snapshot, not that of its bucket. */
export async function openMarketPoints(
  request: Request,
): Promise<HistoryPoints<SeriesRow<'market'>>> {
  const { cluster, history, subject, frequency, span = EMPTY_SERIES_SPAN } = request;
  return {
    series: {
      name: `${cluster.env} market ${frequency}`,
      subject,
      frequency,
      span,
      async *read({ start, end }) {
        const buckets = { from: bucketOf(start, frequency), to: end };
        for await (const rows of readSeries(history, marketSeries(request), buckets)) {
          yield rows.filter(({ at }) => at >= start && at < end);
        }
      },
      timeOf: ({ at }) => at,
      itemsOf: (rows) => rows.map((row) => JSON.stringify(marketPointJson(row))),
    },
    present: () => ({ items: presentItems(request) }),
  };
}

/** The current state; empty for an unknown market. */
function presentItems({ context, cluster: { reader }, subject }: Request): readonly string[] {
  const market = marketCache(context)(reader, subject);
  if (market === undefined) return [];
  let loans = 0;
  for (const { fields } of reader.obligationsIn(subject)) if (hasPositions(fields)) loans += 1;
  const { at, ...point } = viewMarketPoint(market, loans);
  return [JSON.stringify(marketPointJson({ ...point, subject, at: at.unix }))];
}

type MarketFigures = Pick<
  SeriesRow<'market'>,
  'subject' | 'at' | 'borrowTvl' | 'depositTvl' | 'obligations'
>;

function marketPointJson(row: MarketFigures): Static<typeof MarketPoint> {
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
