import {
  type Address,
  DAY_SECONDS,
  type Frequency,
  formatInstant,
  type Ratio,
  toAddress,
} from '@tidegate/core/base';
import { contiguousSpans, measureSlotMs, viewReservePoint } from '@tidegate/core/views/series';
import { Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import {
  type ReserveSnapshotRow,
  readReserveSnapshots,
} from '../../../history/queries/reserve-snapshots.ts';
import { readSeriesSpan } from '../../../history/queries/time-series.ts';
import { bucketSeconds } from '../../../history/schema/series-tables.ts';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString, ClusterNameString } from '../../../http/schemas/primitives.ts';
import type { Feature } from '../../feature-context.ts';
import {
  type ChunkedSeries,
  EMPTY_SERIES_SPAN,
  historyChunkCache,
} from '../../history-query/history-chunk-cache.ts';
import { setSampleGapsHeader } from '../../history-query/history-gaps.ts';
import {
  parseQueryRange,
  requireHistory,
  requireRangeWithinLimit,
} from '../../history-query/history-query.ts';
import { createRangeWeight, RANGE_WEIGHT_DESCRIPTION } from '../../history-query/range-weight.ts';
import {
  STREAM_TIMEOUT_MS,
  sendStreamedHistory,
  streamedJsonSchema,
} from '../../history-query/streamed-history.ts';
import { EndString, StartString } from '../../history-query/time-range-schema.ts';
import { reservePointJson } from './point-json.ts';
import { ReserveHistory } from './schema.ts';

const FREQUENCIES: readonly Frequency[] = ['minute', 'hour', 'day'];

const FrequencyString = Type.Unsafe<Frequency>({
  type: 'string',
  enum: [...FREQUENCIES],
  default: 'hour',
});

const LIMITS = { minute: 7n * DAY_SECONDS };

export const getReserveHistory: Feature = (context) => async (app) => {
  const { clusters, clock } = context;
  const chunks = historyChunkCache(context);

  app.get(
    '/svc-market/:marketPubkey/reserves/:reservePubkey/metrics/history',
    {
      ...defineOperation(
        {
          operationId: 'getReserveHistory',
          tag: 'lending',
          summary: 'Metrics history of a reserve',
          description: `Each point is the last snapshot of a minute, hour or day; \`timestamp\` is the start of that interval in UTC. An interval without a snapshot has no point, and \`x-gaps\` lists the times without snapshots. Minute data: at most 7 days per request. ${RANGE_WEIGHT_DESCRIPTION}`,
          weight: 1,
          weightOf: createRangeWeight(clock, (_, { frequency }) => parseFrequency(frequency)),
          statuses: [500],
        },
        {
          params: Type.Object({ marketPubkey: AddressString, reservePubkey: AddressString }),
          querystring: Type.Object({
            env: Type.Optional(ClusterNameString),
            start: Type.Optional(StartString),
            end: Type.Optional(EndString),
            frequency: Type.Optional(FrequencyString),
          }),
          response: streamedJsonSchema(ReserveHistory),
        },
      ),
      handlerTimeout: STREAM_TIMEOUT_MS,
    },
    async (request, reply) => {
      const { params, query } = request;
      const cluster = clusters.requireLoaded(query.env);
      const frequency = parseFrequency(query.frequency);
      const range = parseQueryRange(query, { now: cluster.reader.at().unix });
      requireRangeWithinLimit({ range, frequency }, LIMITS, true);
      const history = requireHistory(cluster);
      await setSampleGapsHeader(reply, history, range);
      const market = toAddress(params.marketPubkey);
      const reserve = toAddress(params.reservePubkey);
      const series = await openSeries(cluster, history, { market, reserve, frequency });
      return sendStreamedHistory(request, reply, {
        etag: chunks.etagOf(series, range),
        prefix: `{"reserve":"${reserve}","market":"${market}","history":[`,
        suffix: ']}',
        items: chunks.read(series, range),
      });
    },
  );
};

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
): Promise<ChunkedSeries<ReserveSnapshotRow>> {
  const isInMarket = reader.reserve(reserve)?.fields.lendingMarket === market;
  const series = { kind: 'reserve', resolution: frequency, subject: reserve } as const;
  const span = isInMarket ? await readSeriesSpan(history, series) : undefined;
  return {
    name: `${env} reserve ${frequency}`,
    subject: reserve,
    frequency,
    span: span ?? EMPTY_SERIES_SPAN,
    read: ({ start, end }) =>
      readReserveSnapshots(history, { reserve, resolution: frequency }, { from: start, to: end }),
    timeOf: ({ bucket }) => bucket,
    itemsOf: (rows) => itemsOf(rows, frequency, reader.slotMs()),
  };
}

/** A snapshot has no pending interest, so a referrer would get nothing. */
const REFERRAL_FEE_BPS = 0;

function itemsOf(
  rows: readonly ReserveSnapshotRow[],
  frequency: Frequency,
  defaultSlotMs: Ratio,
): readonly string[] {
  const slotMs = measureSlotMs(contiguousSpans(rows, bucketSeconds[frequency]), defaultSlotMs);
  return rows.map((row) => {
    const point = viewReservePoint(row, {
      slot: row.slot,
      referralFeeBps: REFERRAL_FEE_BPS,
      slotMs,
    });
    return JSON.stringify({
      timestamp: formatInstant(row.bucket),
      metrics: reservePointJson(point),
    });
  });
}
