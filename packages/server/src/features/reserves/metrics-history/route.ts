import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
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
import type { FeatureContext } from '../../feature-context.ts';
import {
  type ChunkedSeries,
  EMPTY_SERIES_SPAN,
  type HistoryChunkCache,
} from '../../history-query/history-chunk-cache.ts';
import {
  parseQueryRange,
  requireHistory,
  requireRangeWithinLimit,
  setSampleGapsHeader,
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

const FrequencyText = Type.Unsafe<Frequency>({
  type: 'string',
  enum: [...FREQUENCIES],
  default: 'hour',
});

const LIMITS = { minute: 7n * DAY_SECONDS };

export const getReserveHistory =
  (
    { clusters, clock }: Pick<FeatureContext, 'clusters' | 'clock'>,
    pieces: HistoryChunkCache,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/svc-market/:marketPubkey/reserves/:reservePubkey/metrics/history',
      {
        ...defineOperation(
          {
            operationId: 'getReserveHistory',
            tag: 'lending',
            summary: 'A reserve by the minute, hour or day',
            description: `Each point is the last snapshot of its minute, hour or day and is labelled with when that began, in UTC; without a snapshot there is no point, and \`x-gaps\` tells the times in which none was taken. By the minute 7 days or fewer. ${RANGE_WEIGHT_DESCRIPTION}`,
            weight: 1,
            weightOf: createRangeWeight(clock, (_, { frequency }) => asFrequency(frequency)),
            statuses: [500],
          },
          {
            params: Type.Object({ marketPubkey: AddressString, reservePubkey: AddressString }),
            querystring: Type.Object({
              env: Type.Optional(ClusterNameString),
              start: Type.Optional(StartString),
              end: Type.Optional(EndString),
              frequency: Type.Optional(FrequencyText),
            }),
            answer: streamedJsonSchema(ReserveHistory),
          },
        ),
        handlerTimeout: STREAM_TIMEOUT_MS,
      },
      async (request, reply) => {
        const { params, query } = request;
        const cluster = clusters.select(query.env);
        const frequency = asFrequency(query.frequency);
        const range = parseQueryRange(query, { now: cluster.reader.at().unix });
        requireRangeWithinLimit({ range, frequency }, LIMITS, true);
        const history = requireHistory(cluster);
        await setSampleGapsHeader(reply, history, range);
        const named = {
          market: toAddress(params.marketPubkey),
          reserve: toAddress(params.reservePubkey),
        };
        const series = await seriesOf(cluster, history, { ...named, frequency });
        return sendStreamedHistory(request, reply, {
          tag: pieces.tagOf(series, range),
          head: `{"reserve":"${named.reserve}","market":"${named.market}","history":[`,
          tail: ']}',
          items: pieces.read(series, range),
        });
      },
    );
  };

const asFrequency = (given: unknown): Frequency =>
  FREQUENCIES.find((frequency) => frequency === given) ?? 'hour';

type Asked = {
  readonly market: Address;
  readonly reserve: Address;
  readonly frequency: Frequency;
};

/** A reserve that is not in the market has no history there. */
async function seriesOf(
  { env, reader }: Cluster,
  history: HistoryReader,
  { market, reserve, frequency }: Asked,
): Promise<ChunkedSeries<ReserveSnapshotRow>> {
  const isInMarket = reader.reserve(reserve)?.fields.lendingMarket === market;
  const ask = { kind: 'reserve', resolution: frequency, subject: reserve } as const;
  const span = isInMarket ? await readSeriesSpan(history, ask) : undefined;
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

/** Interest was counted up to each snapshot, so that nothing is left for a referrer to have a share of. */
const REFERRAL_FEE_BPS = 0;

function itemsOf(
  rows: readonly ReserveSnapshotRow[],
  frequency: Frequency,
  usualSlotMs: Ratio,
): readonly string[] {
  const slotMs = measureSlotMs(contiguousSpans(rows, bucketSeconds[frequency]), usualSlotMs);
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
