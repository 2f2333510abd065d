import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  DAY_SECONDS,
  intersectRanges,
  isEmptyRange,
  type TimeRange,
  toAddress,
  toSlot,
  toUnixSeconds,
} from '@tidegate/core/base';
import { type DailyObligationPoint, viewDailyObligationHistory } from '@tidegate/core/views/series';
import { Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { readFirstObligationSnapshot } from '../../../history/queries/obligation-snapshots.ts';
import { readLatestReserveSlot } from '../../../history/queries/reserve-snapshots.ts';
import { defineOperation } from '../../../http/operation.ts';
import { BooleanString } from '../../../http/schemas/boolean-string.ts';
import { AddressString, ClusterNameString } from '../../../http/schemas/primitives.ts';
import type { Feature } from '../../feature-context.ts';
import {
  type ChunkedSeries,
  EMPTY_SERIES_SPAN,
  historyChunkCache,
} from '../../history-query/history-chunk-cache.ts';
import { setSampleGapsHeader } from '../../history-query/history-gaps.ts';
import { parseQueryRange, requireHistory } from '../../history-query/history-query.ts';
import { createRangeWeight } from '../../history-query/range-weight.ts';
import {
  STREAM_TIMEOUT_MS,
  sendStreamedHistory,
  streamedJsonSchema,
} from '../../history-query/streamed-history.ts';
import { EndString, StartString } from '../../history-query/time-range-schema.ts';
import { obligationSnapshotJson } from './json.ts';
import { type ObligationHistoryQuery, readObligationHistory } from './query.ts';
import { ObligationHistory } from './schema.ts';

export const getObligationHistory: Feature = (context) => async (app) => {
  const { clusters, clock } = context;
  const chunks = historyChunkCache(context);

  app.get(
    '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/metrics/history',
    {
      ...defineOperation(
        {
          operationId: 'getObligationHistory',
          tag: 'lending-users',
          summary: 'Daily loan history',
          description:
            'One point at each start of a day in UTC: the loan as the program would have refreshed it at the last snapshot before, whose time is `timestampObligation`. A day without positions or without a snapshot has no point; `x-gaps` lists the times without snapshots.',
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
          response: streamedJsonSchema(ObligationHistory),
        },
      ),
      handlerTimeout: STREAM_TIMEOUT_MS,
    },
    async (request, reply) => {
      const { params, query } = request;
      const cluster = clusters.requireLoaded(query.env);
      const now = cluster.reader.at().unix;
      const requested = parseQueryRange(query, { now });
      const history = requireHistory(cluster);
      await setSampleGapsHeader(reply, history, requested);
      const obligation = toAddress(params.obligationPubkey);
      const end = toUnixSeconds(now + 1n);
      const range = intersectRanges(requested, { start: requested.start, end });
      const series = await openSeries(cluster, history, {
        market: toAddress(params.marketPubkey),
        obligation,
        useStakeRates: query.useStakeRateForObligation === 'true',
      });
      return sendStreamedHistory(request, reply, {
        etag: chunks.etagOf(series, range),
        prefix: `{"obligation":"${obligation}","history":[`,
        suffix: ']}',
        items: chunks.read(series, range),
      });
    },
  );
};

/** Past days are fixed unless the market account changes, so its hash is part of the name. */
async function openSeries(
  cluster: Cluster,
  history: HistoryReader,
  query: ObligationHistoryQuery,
): Promise<ChunkedSeries<DailyObligationPoint>> {
  const { env, reader } = cluster;
  const { market, obligation, useStakeRates } = query;
  const first = await readFirstObligationSnapshot(history, obligation);
  const isInMarket = first?.fields?.lendingMarket === market;
  const reserves = reader.reservesOf(market).map(({ address }) => address);
  const slot = isInMarket ? await readLatestReserveSlot(history, reserves) : undefined;
  const newest = { unix: reader.at().unix, slot: slot ?? toSlot(0n) };
  const marketHash = createHash('sha256').update(reader.market(market)?.data ?? '');
  return {
    name: `${env} loan ${market} ${useStakeRates} ${marketHash.digest('base64url')}`,
    subject: obligation,
    frequency: 'day',
    span: isInMarket ? { first: first.at, newest } : EMPTY_SERIES_SPAN,
    read: (range) => readDays(cluster, history, { ...query, range }),
    timeOf: ({ day }) => day,
    itemsOf: (days) => days.map((day) => JSON.stringify(obligationSnapshotJson(day))),
  };
}

const DAYS_PER_BATCH = 30n;

/** Yields to the event loop between batches. */
async function* readDays(
  cluster: Cluster,
  history: HistoryReader,
  query: ObligationHistoryQuery & { readonly range: TimeRange },
): AsyncGenerator<readonly DailyObligationPoint[]> {
  const recorded = await readObligationHistory(cluster, history, query);
  if (recorded === undefined) return;
  const { input, range } = recorded;
  let { start } = range;
  while (!isEmptyRange({ ...range, start })) {
    const end = toUnixSeconds(start + DAYS_PER_BATCH * DAY_SECONDS);
    yield viewDailyObligationHistory(input, intersectRanges(range, { start, end }));
    start = end;
    await setImmediate();
  }
}
