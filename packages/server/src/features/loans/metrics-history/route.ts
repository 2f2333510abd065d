import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  type Address,
  DAY_SECONDS,
  intersectRanges,
  isEmptyRange,
  type TimeRange,
  toAddress,
  toSlot,
  toUnixSeconds,
} from '@tidegate/core/base';
import { collectAvailable } from '@tidegate/core/views/lending';
import { type TimedObligationPoint, viewObligationHistory } from '@tidegate/core/views/series';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import {
  readFirstObligationSnapshot,
  readObligationSnapshots,
} from '../../../history/queries/obligation-snapshots.ts';
import { readLatestReserveSlot } from '../../../history/queries/reserve-snapshots.ts';
import { createEtag } from '../../../http/cache/etag.ts';
import { defineOperation } from '../../../http/operation.ts';
import { BooleanString } from '../../../http/schemas/boolean-string.ts';
import { describe } from '../../../http/schemas/describe.ts';
import { ClusterNameString } from '../../../http/schemas/primitives.ts';
import {
  MarketParameter,
  ObligationParameter,
} from '../../address-parameters/address-parameters.ts';
import type { Feature, FeatureContext } from '../../feature-context.ts';
import { historyBuilds } from '../../history-query/build-queue.ts';
import { requireLoanHistory, requireLoanStates } from '../../history-query/complete-history.ts';
import {
  type ChunkedSeries,
  EMPTY_SERIES_SPAN,
  historyChunkCache,
} from '../../history-query/history-chunk-cache.ts';
import { setSampleGapsHeader } from '../../history-query/history-gaps.ts';
import { parseQueryRange, requireHistory } from '../../history-query/history-query.ts';
import { includesPresent, timesOfStoredPoints } from '../../history-query/present-range.ts';
import { createChunkedRangeWeight } from '../../history-query/range-weight.ts';
import {
  STREAM_TIMEOUT_MS,
  sendStreamedHistory,
  streamedJsonSchema,
  withPresent,
} from '../../history-query/streamed-history.ts';
import { EndString, StartString } from '../../history-query/time-range-schema.ts';
import { readLoanHistory } from '../../loan-value/loan-history.ts';
import { presentLoan, readStakeRates } from '../../loan-value/present-loan.ts';
import { setStalePricesHeader } from '../../pricing/data-notes.ts';
import { LOAN_DEPENDENCIES } from '../../pricing/dependencies.ts';
import { obligationSnapshotJson } from './json.ts';
import { ObligationHistory } from './schema.ts';

const Params = Type.Object({
  marketPubkey: MarketParameter,
  obligationPubkey: ObligationParameter,
});

const Query = Type.Object({
  env: Type.Optional(ClusterNameString),
  start: Type.Optional(StartString),
  end: Type.Optional(EndString),
  useStakeRateForObligation: describe(
    Type.Optional(BooleanString),
    'Values staked SOL tokens in SOL at their stake pool rate instead of the market price',
  ),
});

export const getObligationHistory: Feature = (context) => async (app) => {
  const { clusters, clock } = context;
  const chunks = historyChunkCache(context);
  const builds = historyBuilds(context);
  const presentItems = createPresentItems(context);

  app.get(
    '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/metrics/history',
    {
      ...defineOperation(
        {
          operationId: 'getObligationHistory',
          tag: 'lending-users',
          summary: 'Daily loan history',
          description:
            'One point at each start of a day in UTC: the loan as the program would have refreshed it then; `timestampObligation` is the time of the snapshot. If `end` is omitted or not before now, the last point is the current state. A day without positions or without a snapshot has no point; `x-gaps` lists the times without snapshots.',
          weight: 2,
          ...createChunkedRangeWeight(clock, () => 'day', { minimum: 2, pointsPerUnit: 40 }),
          readsEvents: true,
          hasEtag: true,
          computedFrom: LOAN_DEPENDENCIES,
          statuses: [500],
        },
        {
          params: Params,
          querystring: Query,
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
      const obligation = toAddress(params.obligationPubkey);
      await requireLoanHistory(cluster, obligation);
      await requireLoanStates(history, obligation, requested);
      await setSampleGapsHeader(reply, history, requested);
      const loan = {
        market: toAddress(params.marketPubkey),
        obligation,
        useStakeRates: query.useStakeRateForObligation === 'true',
      };
      const series = await openSeries(cluster, history, loan);
      const present = includesPresent(requested, now)
        ? await presentItems(cluster, history, { ...loan, reply })
        : [];
      const exists = present.length > 0;
      const past = timesOfStoredPoints(requested, now, { frequency: 'day', exists });
      return sendStreamedHistory(request, reply, {
        etag: createEtag([chunks.etagOf(series, past), ...present].join(' ')),
        prefix: `{"obligation":"${obligation}","history":[`,
        suffix: ']}',
        items: withPresent(chunks.read(series, past, builds.enter(request, reply)), present),
      });
    },
  );
};

type ObligationHistoryQuery = {
  readonly market: Address;
  readonly obligation: Address;
  readonly useStakeRates: boolean;
};

type PresentQuery = ObligationHistoryQuery & { readonly reply: FastifyReply };

/**
 * The JSON of a loan now; empty without positions, for another market, and for a loan that cannot be valued. Sets
 * `x-stale-prices`.
 */
function createPresentItems(context: FeatureContext) {
  const presentLoanOf = presentLoan(context);
  return async (
    cluster: Cluster,
    history: HistoryReader,
    { market, obligation, useStakeRates, reply }: PresentQuery,
  ): Promise<readonly string[]> => {
    const rates = useStakeRates ? await readStakeRates(cluster, history, market) : undefined;
    // last, because a gap removes the loan from state
    await cluster.loadObligation(obligation);
    const { items } = collectAvailable([{ address: obligation }], ({ address }) =>
      presentLoanOf(cluster, { market, obligation: address }, rates),
    );
    const [present] = items;
    if (present === undefined) return [];
    setStalePricesHeader(reply, present.priceAges);
    const { point } = present;
    return [JSON.stringify(obligationSnapshotJson({ time: cluster.reader.at().unix, point }))];
  };
}

/** Past days are fixed unless the market account changes, so its hash is part of the name. */
async function openSeries(
  cluster: Cluster,
  history: HistoryReader,
  query: ObligationHistoryQuery,
): Promise<ChunkedSeries<TimedObligationPoint>> {
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
    timeOf: ({ time }) => time,
    itemsOf: (days) => days.map((day) => JSON.stringify(obligationSnapshotJson(day))),
  };
}

const DAYS_PER_BATCH = 30n;

/** Yields to the event loop between batches. */
async function* readDays(
  cluster: Cluster,
  history: HistoryReader,
  query: ObligationHistoryQuery & { readonly range: TimeRange },
): AsyncGenerator<readonly TimedObligationPoint[]> {
  const states = await readObligationSnapshots(history, query.obligation, query.range.end);
  const recorded = await readLoanHistory(cluster, history, { ...query, states, frequency: 'day' });
  if (recorded === undefined) return;
  const { input, range } = recorded;
  let { start } = range;
  while (!isEmptyRange({ ...range, start })) {
    const end = toUnixSeconds(start + DAYS_PER_BATCH * DAY_SECONDS);
    yield viewObligationHistory(input, intersectRanges(range, { start, end }));
    start = end;
    await setImmediate();
  }
}
