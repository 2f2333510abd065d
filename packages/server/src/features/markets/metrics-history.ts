import {
  type Address,
  defaultFrequency,
  formatInstant,
  formatRatio,
  SERIES_DIGITS,
  type TimeRange,
  toAddress,
} from '@tidegate/core/base';
import { hasPositions, viewMarketPoint } from '@tidegate/core/views/series';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import type { HoledSeries } from '../../history/queries/series-holes.ts';
import { readSeries, readSeriesSpan } from '../../history/queries/time-series.ts';
import { bucketOf, type SeriesRow } from '../../history/schema/series-tables.ts';
import { createEtag } from '../../http/cache/etag.ts';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import {
  AddressString,
  ClusterNameString,
  DecimalString,
  IsoInstant,
} from '../../http/schemas/primitives.ts';
import { MarketParameter } from '../address-parameters/address-parameters.ts';
import type { Feature } from '../feature-context.ts';
import { historyBuilds } from '../history-query/build-queue.ts';
import {
  type ChunkedSeries,
  EMPTY_SERIES_SPAN,
  historyChunkCache,
} from '../history-query/history-chunk-cache.ts';
import { setSeriesGapsHeader } from '../history-query/history-gaps.ts';
import { parseQueryRange, requireHistory } from '../history-query/history-query.ts';
import { divideAtPresent } from '../history-query/present-range.ts';
import { createChunkedRangeWeight, describeRangeWeight } from '../history-query/range-weight.ts';
import { seriesHolesCache } from '../history-query/series-holes-cache.ts';
import {
  STREAM_TIMEOUT_MS,
  sendStreamedHistory,
  streamedJsonSchema,
  withPresent,
} from '../history-query/streamed-history.ts';
import { EndString, StartString } from '../history-query/time-range-schema.ts';
import { requireAllLoans } from '../loan-coverage/require-all-loans.ts';
import { MARKET_DEPENDENCIES } from '../pricing/dependencies.ts';
import { type MarketCache, marketCache } from '../pricing/market-cache.ts';

const MarketPoint = Type.Object(
  {
    market: describe(AddressString, 'Address of the lending market'),
    timestamp: describe(IsoInstant, 'Time of the point, UTC'),
    metrics: describe(
      Type.Object({
        borrowTVL: describe(DecimalString, 'Debts in USD'),
        depositTVL: describe(DecimalString, 'Deposits in USD'),
        obligations: Type.Integer({ description: 'Loans with a deposit or debt' }),
      }),
      'Totals over the reserves of the market',
    ),
  },
  { title: 'MarketPoint' },
);

const Query = Type.Object({
  env: Type.Optional(ClusterNameString),
  start: Type.Optional(StartString),
  end: Type.Optional(EndString),
});

/** Longer ranges have daily points. */
const MAX_HOURLY_DAYS = 90n;

const frequencyOf = (range: TimeRange) => defaultFrequency(range, MAX_HOURLY_DAYS);

const POINTS_PER_UNIT = 50;

export const getMarketHistory: Feature = (context) => async (app) => {
  const { clusters, clock } = context;
  const marketOf = marketCache(context);
  const chunks = historyChunkCache(context);
  const builds = historyBuilds(context);
  const holes = seriesHolesCache(context);
  app.get(
    '/svc-market/:pubkey/metrics/history',
    {
      ...defineOperation(
        {
          operationId: 'getMarketHistory',
          tag: 'lending',
          summary: 'Metrics history of a market',
          description: `Values in USD over all reserves, and the number of loans with a deposit or a debt. One point per hour, or per day if the range is longer than ${MAX_HOURLY_DAYS} days; \`timestamp\` is the time of the snapshot. If \`end\` is omitted or not before now, the last point is the current state. \`x-gaps\` lists the times without snapshots. 503 with code \`POSITIONS_INCOMPLETE\` if not all loans are followed. ${describeRangeWeight(POINTS_PER_UNIT)}`,
          weight: 1,
          ...createChunkedRangeWeight(clock, frequencyOf, { pointsPerUnit: POINTS_PER_UNIT }),
          hasEtag: true,
          computedFrom: MARKET_DEPENDENCIES,
          statuses: [500],
        },
        {
          params: Type.Object({ pubkey: MarketParameter }),
          querystring: Query,
          response: streamedJsonSchema(Type.Array(MarketPoint)),
        },
      ),
      handlerTimeout: STREAM_TIMEOUT_MS,
    },
    async (request, reply) => {
      const { params, query } = request;
      const cluster = clusters.requireLoaded(query.env);
      const { unix: now } = cluster.reader.at();
      const range = parseQueryRange(query, { now });
      const history = requireHistory(cluster);
      const frequency = frequencyOf(range);
      requireAllLoans(cluster);
      const market = toAddress(params.pubkey);
      const series = await openSeries(cluster, history, { market, frequency });
      const gaps = { range, now, holes: holes.of(history, series) };
      await setSeriesGapsHeader(reply, series.stored, gaps);
      const { past, present } = divideAtPresent(range, { now, frequency }, () =>
        presentItem(cluster, marketOf, market),
      );
      const items = chunks.read(series, past, builds.enter(request, reply));
      return await sendStreamedHistory(request, reply, {
        etag: createEtag([chunks.etagOf(series, past), ...present].join(' ')),
        prefix: '[',
        suffix: ']',
        items: withPresent(items, present),
      });
    },
  );
};

type MarketSeries = { readonly market: Address; readonly frequency: 'hour' | 'day' };

/** A point has the time of its snapshot, not that of its bucket. */
async function openSeries(
  { env }: Cluster,
  history: HistoryReader,
  { market, frequency }: MarketSeries,
): Promise<ChunkedSeries<SeriesRow<'market'>> & { readonly stored: HoledSeries }> {
  const stored = { kind: 'market', resolution: frequency, subject: market } as const;
  return {
    stored,
    name: `${env} market ${frequency}`,
    subject: market,
    frequency,
    span: (await readSeriesSpan(history, stored)) ?? EMPTY_SERIES_SPAN,
    async *read({ start, end }) {
      const buckets = { from: bucketOf(start, frequency), to: end };
      for await (const rows of readSeries(history, stored, buckets)) {
        yield rows.filter(({ at }) => at >= start && at < end);
      }
    },
    timeOf: ({ at }) => at,
    itemsOf: (rows) => rows.map((row) => JSON.stringify(marketPointJson(row))),
  };
}

/** The JSON of the current state; empty for an unknown market. */
function presentItem(
  { reader }: Cluster,
  marketOf: MarketCache,
  address: Address,
): readonly string[] {
  const market = marketOf(reader, address);
  if (market === undefined) return [];
  let loans = 0;
  for (const { fields } of reader.obligationsIn(address)) if (hasPositions(fields)) loans += 1;
  const { at, ...point } = viewMarketPoint(market, loans);
  return [JSON.stringify(marketPointJson({ ...point, subject: address, at: at.unix }))];
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
