import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  DAY_SECONDS,
  formatInstant,
  formatRatio,
  intersectRanges,
  isEmptyRange,
  type Ratio,
  SERIES_DIGITS,
  type TimeRange,
  toAddress,
  toSlot,
  toUnixSeconds,
} from '@tidegate/core/base';
import { type DailyObligationPoint, viewDailyObligationHistory } from '@tidegate/core/views/series';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { readFirstObligationSnapshot } from '../../../history/queries/obligation-snapshots.ts';
import { readLatestReserveSlot } from '../../../history/queries/reserve-snapshots.ts';
import { defineOperation } from '../../../http/operation.ts';
import { BooleanString } from '../../../http/schemas/boolean-string.ts';
import { AddressString, ClusterNameString } from '../../../http/schemas/primitives.ts';
import { formatLiveRatio, formatLiveSf } from '../../decimal-format/live-decimals.ts';
import type { FeatureContext } from '../../feature-context.ts';
import {
  type ChunkedSeries,
  EMPTY_SERIES_SPAN,
  type HistoryChunkCache,
} from '../../history-query/history-chunk-cache.ts';
import {
  parseQueryRange,
  requireHistory,
  setSampleGapsHeader,
} from '../../history-query/history-query.ts';
import { createRangeWeight } from '../../history-query/range-weight.ts';
import {
  STREAM_TIMEOUT_MS,
  sendStreamedHistory,
  streamedJsonSchema,
} from '../../history-query/streamed-history.ts';
import { EndString, StartString } from '../../history-query/time-range-schema.ts';
import { obligationStatsJson } from '../obligation-stats-json.ts';
import { type ObligationHistoryQuery, readObligationHistory } from './query.ts';
import { ObligationHistory, type ObligationSnapshot } from './schema.ts';

export const getObligationHistory =
  (
    { clusters, clock }: Pick<FeatureContext, 'clusters' | 'clock'>,
    pieces: HistoryChunkCache,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/metrics/history',
      {
        ...defineOperation(
          {
            operationId: 'getObligationHistory',
            tag: 'lending-users',
            summary: 'A loan by the day',
            description:
              'At each start of a day in UTC, as the program would have refreshed it at the last snapshot before: `timestampObligation` tells when that was. A day without positions or without a snapshot has no point, and `x-gaps` tells the times in which none was taken.',
            weight: 2,
            weightOf: createRangeWeight(clock, () => 'day', 2),
            statuses: [500],
          },
          {
            params: Type.Object({ marketPubkey: AddressString, obligationPubkey: AddressString }),
            querystring: Type.Object({
              env: Type.Optional(ClusterNameString),
              start: Type.Optional(StartString),
              end: Type.Optional(EndString),
              useStakeRateForObligation: Type.Optional(BooleanString),
            }),
            answer: streamedJsonSchema(ObligationHistory),
          },
        ),
        handlerTimeout: STREAM_TIMEOUT_MS,
      },
      async (request, reply) => {
        const { params, query } = request;
        const cluster = clusters.select(query.env);
        const now = cluster.reader.at().unix;
        const range = parseQueryRange(query, { now });
        const history = requireHistory(cluster);
        await setSampleGapsHeader(reply, history, range);
        const obligation = toAddress(params.obligationPubkey);
        const past = intersectRanges(range, { start: range.start, end: toUnixSeconds(now + 1n) });
        const series = await seriesOf(cluster, history, {
          market: toAddress(params.marketPubkey),
          obligation,
          useStakeRates: query.useStakeRateForObligation === 'true',
        });
        return sendStreamedHistory(request, reply, {
          tag: pieces.tagOf(series, past),
          head: `{"obligation":"${obligation}","history":[`,
          tail: ']}',
          items: pieces.read(series, past),
        });
      },
    );
  };

/** What was a loan's day stays it, but for what the market's owner changes of how loans are counted. */
async function seriesOf(
  cluster: Cluster,
  history: HistoryReader,
  ask: ObligationHistoryQuery,
): Promise<ChunkedSeries<DailyObligationPoint>> {
  const { env, reader } = cluster;
  const { market, obligation, useStakeRates } = ask;
  const first = await readFirstObligationSnapshot(history, obligation);
  const isInMarket = first?.fields?.lendingMarket === market;
  const sampled = reader.reservesOf(market).map(({ address }) => address);
  const slot = isInMarket ? await readLatestReserveSlot(history, sampled) : undefined;
  const newest = { unix: reader.at().unix, slot: slot ?? toSlot(0n) };
  const terms = createHash('sha256').update(reader.market(market)?.data ?? '');
  return {
    name: `${env} loan ${market} ${useStakeRates} ${terms.digest('base64url')}`,
    subject: obligation,
    frequency: 'day',
    span: isInMarket ? { first: first.at, newest } : EMPTY_SERIES_SPAN,
    read: (range) => readDays(cluster, history, { ...ask, range }),
    timeOf: ({ day }) => day,
    itemsOf: (days) => days.map((day) => JSON.stringify(snapshotJson(day))),
  };
}

const DAYS_AT_ONCE = 30n;

/** Others have their turn in between. */
async function* readDays(
  cluster: Cluster,
  history: HistoryReader,
  ask: ObligationHistoryQuery & { readonly range: TimeRange },
): AsyncGenerator<readonly DailyObligationPoint[]> {
  const found = await readObligationHistory(cluster, history, ask);
  if (found === undefined) return;
  let { start } = found.range;
  while (!isEmptyRange({ ...found.range, start })) {
    const end = toUnixSeconds(start + DAYS_AT_ONCE * DAY_SECONDS);
    yield viewDailyObligationHistory(found.past, intersectRanges(found.range, { start, end }));
    start = end;
    await setImmediate();
  }
}

function snapshotJson({ day, point }: DailyObligationPoint): Static<typeof ObligationSnapshot> {
  const { solValues } = point;
  return {
    timestamp: formatInstant(day),
    refreshedStats: obligationStatsJson(point.refreshedStats),
    deposits: point.deposits.map(positionJson),
    borrows: point.borrows.map(positionJson),
    tag: point.tag,
    obligationSolValues: {
      netValueSol: seriesText(solValues.net),
      collateralValueSol: seriesText(solValues.collateral),
      debtValueSol: seriesText(solValues.debt),
      solPrice: formatLiveRatio(solValues.solPrice),
      timestampSolPrice: formatInstant(solValues.solPriceAt),
      timestampObligation: formatInstant(point.at),
    },
  };
}

const positionJson = ({
  mint,
  amount,
  value,
}: DailyObligationPoint['point']['deposits'][number]) => ({
  amount: formatLiveSf(amount),
  mintAddress: mint,
  marketValueRefreshed: formatLiveSf(value),
});

const seriesText = (value: Ratio): string => formatRatio(value, SERIES_DIGITS);
