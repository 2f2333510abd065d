import {
  type Address,
  defaultFrequency,
  formatInstant,
  formatRatio,
  SERIES_DIGITS,
  toAddress,
} from '@tidegate/core/base';
import { hasPositions, viewMarketPoint } from '@tidegate/core/views/series';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { readSeries, readSeriesSpan } from '../../history/queries/time-series.ts';
import { bucketOf, type SeriesRow } from '../../history/schema/series-tables.ts';
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
import { EMPTY_SERIES_SPAN } from '../history-query/history-chunk-cache.ts';
import { setSeriesGapsHeader } from '../history-query/history-gaps.ts';
import { parseQueryRange, requireHistory } from '../history-query/history-query.ts';
import { divideAtPresent } from '../history-query/present-range.ts';
import { createRangeWeight, describeRangeWeight } from '../history-query/range-weight.ts';
import { seriesHolesCache } from '../history-query/series-holes-cache.ts';
import { EndString, StartString } from '../history-query/time-range-schema.ts';
import { requireAllLoans } from '../loan-coverage/require-all-loans.ts';
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

/** Longer ranges have daily points. */
const MAX_HOURLY_DAYS = 90n;

const POINTS_PER_UNIT = 100;

export const getMarketHistory: Feature = (context) => async (app) => {
  const { clusters, clock } = context;
  const marketOf = marketCache(context);
  const holes = seriesHolesCache(context);
  app.get(
    '/svc-market/:pubkey/metrics/history',
    defineOperation(
      {
        operationId: 'getMarketHistory',
        tag: 'lending',
        summary: 'Metrics history of a market',
        description: `Values in USD over all reserves, and the number of loans with a deposit or a debt. One point per hour, or per day if the range is longer than ${MAX_HOURLY_DAYS} days; \`timestamp\` is the time of the snapshot. If \`end\` is omitted or not before now, the last point is the current state. \`x-gaps\` lists the times without snapshots. 503 with code \`POSITIONS_INCOMPLETE\` if not all loans are followed. ${describeRangeWeight(POINTS_PER_UNIT)}`,
        weight: 1,
        weightOf: createRangeWeight(clock, (range) => defaultFrequency(range, MAX_HOURLY_DAYS), {
          pointsPerUnit: POINTS_PER_UNIT,
        }),
        statuses: [500],
      },
      {
        params: Type.Object({ pubkey: MarketParameter }),
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
      const { unix: now } = cluster.reader.at();
      const range = parseQueryRange(query, { now });
      const history = requireHistory(cluster);
      const resolution = defaultFrequency(range, MAX_HOURLY_DAYS);
      requireAllLoans(cluster);
      const market = toAddress(params.pubkey);
      const series = { kind: 'market', resolution, subject: market } as const;
      const points: Static<typeof MarketPoint>[] = [];
      const span = (await readSeriesSpan(history, series)) ?? EMPTY_SERIES_SPAN;
      await setSeriesGapsHeader(reply, series, { range, now, holes: holes.of(history, { span }) });
      const divided = { now, frequency: resolution };
      const { past, present } = divideAtPresent(range, divided, () =>
        presentPoints(cluster, marketOf, market),
      );
      const buckets = { from: bucketOf(past.start, resolution), to: past.end };
      for await (const rows of readSeries(history, series, buckets)) {
        const inRange = rows.filter(({ at }) => at >= past.start && at < past.end);
        points.push(...inRange.map(marketPointJson));
      }
      return [...points, ...present];
    },
  );
};

/** The current state; empty for an unknown market. */
function presentPoints(
  { reader }: Cluster,
  marketOf: MarketCache,
  address: Address,
): Static<typeof MarketPoint>[] {
  const market = marketOf(reader, address);
  if (market === undefined) return [];
  let loans = 0;
  for (const { fields } of reader.obligationsIn(address)) if (hasPositions(fields)) loans += 1;
  const { at, ...point } = viewMarketPoint(market, loans);
  return [marketPointJson({ ...point, subject: address, at: at.unix })];
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
