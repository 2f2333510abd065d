import {
  type Address,
  DAY_SECONDS,
  type Frequency,
  formatInstant,
  type TimeRange,
  toAddress,
} from '@tidegate/core/base';
import { NO_ACCRUAL_TERMS } from '@tidegate/core/protocol/klend/math';
import type { ClusterReader } from '@tidegate/core/state';
import { slotDurations, viewReservePoint } from '@tidegate/core/views/series';
import { trackPrices, type VaultViewContext } from '@tidegate/core/views/vaults';
import { Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import {
  type PackedReserveRow,
  type ReserveSnapshotRow,
  readReserveRows,
  unpackReserveRow,
} from '../../../history/queries/reserve-snapshots.ts';
import type { HoledSeries } from '../../../history/queries/series-holes.ts';
import { readSeriesSpan } from '../../../history/queries/time-series.ts';
import { bucketSeconds, bucketsOf, bucketTime } from '../../../history/schema/series-tables.ts';
import { createEtag } from '../../../http/cache/etag.ts';
import { defineOperation } from '../../../http/operation.ts';
import { ClusterNameString } from '../../../http/schemas/primitives.ts';
import { MarketParameter, ReserveParameter } from '../../address-parameters/address-parameters.ts';
import type { Feature } from '../../feature-context.ts';
import { historyBuilds } from '../../history-query/build-queue.ts';
import {
  type ChunkedSeries,
  EMPTY_SERIES_SPAN,
  historyChunkCache,
  labelledSpan,
} from '../../history-query/history-chunk-cache.ts';
import { setSeriesGapsHeader } from '../../history-query/history-gaps.ts';
import {
  parseQueryRange,
  requireHistory,
  requireRangeWithinLimit,
} from '../../history-query/history-query.ts';
import { divideAtPresent } from '../../history-query/present-range.ts';
import { presentReserveRow } from '../../history-query/present-rows.ts';
import { createChunkedRangeWeight, describeRangeWeight } from '../../history-query/range-weight.ts';
import { seriesHolesCache } from '../../history-query/series-holes-cache.ts';
import {
  STREAM_TIMEOUT_MS,
  sendStreamedHistory,
  streamedJsonSchema,
  withPresent,
} from '../../history-query/streamed-history.ts';
import { EndString, StartString } from '../../history-query/time-range-schema.ts';
import { setStalePricesHeader } from '../../pricing/data-notes.ts';
import { MARKET_DEPENDENCIES } from '../../pricing/dependencies.ts';
import { vaultPricingCache } from '../../pricing/vault-pricing-cache.ts';
import { reservePointJson } from './point-json.ts';
import { ReserveHistory } from './schema.ts';

const FREQUENCIES: readonly Frequency[] = ['minute', 'hour', 'day'];

const FrequencyString = Type.Unsafe<Frequency>({
  type: 'string',
  enum: [...FREQUENCIES],
  default: 'hour',
  description: 'Distance of the points; minute allows at most 7 days',
});

/** A year by the hour is 351 units, or 18 if it is cached. */
const WEIGHT = { pointsPerUnit: 25, maximum: 400 };

const LIMITS = { minute: 7n * DAY_SECONDS };

const Query = Type.Object({
  env: Type.Optional(ClusterNameString),
  start: Type.Optional(StartString),
  end: Type.Optional(EndString),
  frequency: Type.Optional(FrequencyString),
});

export const getReserveHistory: Feature = (context) => async (app) => {
  const { clusters, clock } = context;
  const chunks = historyChunkCache(context);
  const builds = historyBuilds(context);
  const holes = seriesHolesCache(context);
  const pricingOf = vaultPricingCache(context);

  app.get(
    '/svc-market/:marketPubkey/reserves/:reservePubkey/metrics/history',
    {
      ...defineOperation(
        {
          operationId: 'getReserveHistory',
          tag: 'lending',
          summary: 'Metrics history of a reserve',
          description: `A point is the state at its \`timestamp\`, on full minutes, hours or days in UTC. If \`end\` is omitted or not before now, the last point is the current state. A time without a snapshot has no point, and \`x-gaps\` lists those times. Minute data: at most 7 days per request. ${describeRangeWeight(WEIGHT.pointsPerUnit)}`,
          weight: 1,
          ...createChunkedRangeWeight(clock, frequencyOf, WEIGHT),
          hasEtag: true,
          computedFrom: MARKET_DEPENDENCIES,
          statuses: [500],
        },
        {
          params: Type.Object({ marketPubkey: MarketParameter, reservePubkey: ReserveParameter }),
          querystring: Query,
          response: streamedJsonSchema(ReserveHistory),
        },
      ),
      handlerTimeout: STREAM_TIMEOUT_MS,
    },
    async (request, reply) => {
      const { params, query } = request;
      const cluster = clusters.requireLoaded(query.env);
      const frequency = parseFrequency(query.frequency);
      const { unix: now } = cluster.reader.at();
      const range = parseQueryRange(query, { now });
      requireRangeWithinLimit({ range, frequency }, LIMITS, true);
      const history = requireHistory(cluster);
      const market = toAddress(params.marketPubkey);
      const reserve = toAddress(params.reservePubkey);
      const requestedSeries = { market, reserve, frequency };
      const series = await openSeries(cluster, history, requestedSeries);
      const gaps = { range, now, holes: holes.of(history, series) };
      await setSeriesGapsHeader(reply, series.stored, gaps);
      const pricing = trackPrices(pricingOf(cluster));
      const { past, present } = divideAtPresent(range, { now, frequency }, () =>
        presentItem(cluster, pricing, requestedSeries),
      );
      setStalePricesHeader(reply, pricing.priceAges());
      const items = chunks.read(series, past, builds.enter(request, reply));
      return sendStreamedHistory(request, reply, {
        etag: createEtag([chunks.etagOf(series, past), ...present].join(' ')),
        prefix: `{"reserve":"${reserve}","market":"${market}","history":[`,
        suffix: ']}',
        items: withPresent(items, present),
      });
    },
  );
};

const frequencyOf = (_: TimeRange, query: { readonly frequency?: unknown }): Frequency =>
  parseFrequency(query.frequency);

const parseFrequency = (value: unknown): Frequency =>
  FREQUENCIES.find((frequency) => frequency === value) ?? 'hour';

type ReserveSeries = {
  readonly market: Address;
  readonly reserve: Address;
  readonly frequency: Frequency;
};

/** The series of a reserve that is not in the market is empty. */
async function openSeries(
  { env, reader }: Cluster,
  history: HistoryReader,
  { market, reserve, frequency }: ReserveSeries,
): Promise<ChunkedSeries<PackedReserveRow> & { readonly stored: HoledSeries }> {
  const isInMarket = reader.reserve(reserve)?.fields.lendingMarket === market;
  const stored = { kind: 'reserve', resolution: frequency, subject: reserve } as const;
  const span = isInMarket ? await readSeriesSpan(history, stored) : undefined;
  return {
    stored,
    name: `${env} reserve ${frequency}`,
    subject: reserve,
    frequency,
    span: span === undefined ? EMPTY_SERIES_SPAN : labelledSpan(span, frequency),
    read: (range) =>
      readReserveRows(history, { reserve, resolution: frequency }, bucketsOf(range, frequency)),
    timeOf: ({ row }) => bucketTime(row.bucket, frequency),
    itemsOf: (rows) => itemsOf(rows.map(unpackReserveRow), frequency, reader),
  };
}

/** The JSON of the current state; empty for a reserve that is not in the market or cannot be priced. */
function presentItem(
  cluster: Cluster,
  pricing: VaultViewContext,
  { market, reserve, frequency }: ReserveSeries,
): readonly string[] {
  if (cluster.reader.reserve(reserve)?.fields.lendingMarket !== market) return [];
  const row = presentReserveRow(cluster, pricing, { reserve, resolution: frequency });
  return row === undefined ? [] : itemsOf([row], frequency, cluster.reader);
}

function itemsOf(
  rows: readonly ReserveSnapshotRow[],
  frequency: Frequency,
  reader: ClusterReader,
): readonly string[] {
  const usual = reader.slotMs();
  const durations = slotDurations(rows, bucketSeconds[frequency], usual);
  return rows.map((row, i) => {
    const point = viewReservePoint(row, {
      // A stored row is accrued to its slot: nothing is left for referrers or from rewards.
      time: { slot: row.slot, unix: row.at },
      rules: reader.rulesAt(row.slot).lending,
      ...NO_ACCRUAL_TERMS,
      slotMs: durations[i] ?? usual,
    });
    const timestamp = formatInstant(bucketTime(row.bucket, frequency));
    return `{"timestamp":"${timestamp}","metrics":${reservePointJson(point)}}`;
  });
}
