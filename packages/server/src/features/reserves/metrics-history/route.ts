import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  type Address,
  DAY_SECONDS,
  type Frequency,
  formatInstant,
  type Ratio,
  toAddress,
} from '@tidegate/core/base';
import { measuredSlotMs, stretchesOf, viewReservePoint } from '@tidegate/core/views/series';
import { Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { type PastReserveRow, readReserves } from '../../../history/queries/reserve-snapshots.ts';
import { readSpan } from '../../../history/queries/time-series.ts';
import { bucketSeconds } from '../../../history/schema/series-tables.ts';
import { operation } from '../../../http/operation.ts';
import { AddressText, EnvText } from '../../../http/schemas/primitives.ts';
import type { ApiContext } from '../../feature-context.ts';
import {
  NO_SPAN,
  type PastPieces,
  type PieceSeries,
} from '../../history-query/history-chunk-cache.ts';
import {
  askedRange,
  historyOf,
  refuseExcess,
  tellGaps,
} from '../../history-query/history-query.ts';
import { RANGE_WEIGHT_TEXT, rangeWeight } from '../../history-query/range-weight.ts';
import { answerPast, madeJson, STREAM_TIMEOUT_MS } from '../../history-query/streamed-history.ts';
import { EndText, StartText } from '../../history-query/time-range-schema.ts';
import { formatReservePoint } from './point-json.ts';
import { ReserveHistory } from './schema.ts';

const FREQUENCIES: readonly Frequency[] = ['minute', 'hour', 'day'];

const FrequencyText = Type.Unsafe<Frequency>({
  type: 'string',
  enum: [...FREQUENCIES],
  default: 'hour',
});

const LIMITS = { minute: 7n * DAY_SECONDS };

export const reserveHistoryRoutes =
  (
    { clusters, clock }: Pick<ApiContext, 'clusters' | 'clock'>,
    pieces: PastPieces,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/svc-market/:marketPubkey/reserves/:reservePubkey/metrics/history',
      {
        ...operation(
          {
            operationId: 'getReserveHistory',
            tag: 'lending',
            summary: 'A reserve by the minute, hour or day',
            description: `Each point is the last snapshot of its minute, hour or day and is labelled with when that began, in UTC; without a snapshot there is no point, and \`x-gaps\` tells the times in which none was taken. By the minute 7 days or fewer. ${RANGE_WEIGHT_TEXT}`,
            weight: 1,
            weightOf: rangeWeight(clock, (_, { frequency }) => asFrequency(frequency)),
            statuses: [500],
          },
          {
            params: Type.Object({ marketPubkey: AddressText, reservePubkey: AddressText }),
            querystring: Type.Object({
              env: Type.Optional(EnvText),
              start: Type.Optional(StartText),
              end: Type.Optional(EndText),
              frequency: Type.Optional(FrequencyText),
            }),
            answer: madeJson(ReserveHistory),
          },
        ),
        handlerTimeout: STREAM_TIMEOUT_MS,
      },
      async (request, reply) => {
        const { params, query } = request;
        const cluster = clusters.select(query.env);
        const frequency = asFrequency(query.frequency);
        const range = askedRange(query, { now: cluster.reader.at().unix });
        refuseExcess({ range, frequency }, LIMITS, true);
        const history = historyOf(cluster);
        await tellGaps(reply, history, range);
        const named = {
          market: toAddress(params.marketPubkey),
          reserve: toAddress(params.reservePubkey),
        };
        const series = await seriesOf(cluster, history, { ...named, frequency });
        return answerPast(request, reply, {
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
): Promise<PieceSeries<PastReserveRow>> {
  const isInMarket = reader.reserve(reserve)?.fields.lendingMarket === market;
  const ask = { kind: 'reserve', resolution: frequency, subject: reserve } as const;
  const span = isInMarket ? await readSpan(history, ask) : undefined;
  return {
    name: `${env} reserve ${frequency}`,
    subject: reserve,
    frequency,
    span: span ?? NO_SPAN,
    read: ({ start, end }) =>
      readReserves(history, { reserve, resolution: frequency }, { from: start, to: end }),
    timeOf: ({ bucket }) => bucket,
    itemsOf: (rows) => itemsOf(rows, frequency, reader.slotMs()),
  };
}

/** Interest was counted up to each snapshot, so that nothing is left for a referrer to have a share of. */
const REFERRAL_FEE_BPS = 0;

function itemsOf(
  rows: readonly PastReserveRow[],
  frequency: Frequency,
  usualSlotMs: Ratio,
): readonly string[] {
  const slotMs = measuredSlotMs(stretchesOf(rows, bucketSeconds[frequency]), usualSlotMs);
  return rows.map((row) => {
    const point = viewReservePoint(row, {
      slot: row.slot,
      referralFeeBps: REFERRAL_FEE_BPS,
      slotMs,
    });
    return JSON.stringify({
      timestamp: formatInstant(row.bucket),
      metrics: formatReservePoint(point),
    });
  });
}
