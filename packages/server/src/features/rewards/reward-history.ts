import {
  bucketStart,
  CodedError,
  DAY_SECONDS,
  defaultFrequency,
  intersectRanges,
  nonZeroAddress,
  type TimeRange,
  toAddress,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { groupSeasonRewards, type RewardTarget, type Season } from '@tidegate/core/views/rewards';
import { Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, DecimalString, IsoInstant } from '../../http/schemas/primitives.ts';
import { parseFrequency } from '../../http/time-range-parameters.ts';
import type { Feature } from '../feature-context.ts';
import { historyBuilds } from '../history-query/build-queue.ts';
import { historyChunkCache } from '../history-query/history-chunk-cache.ts';
import { setSampleGapsHeader } from '../history-query/history-gaps.ts';
import {
  invalidQuery,
  parseQueryRange,
  requireHistory,
  requireRangeWithinLimit,
} from '../history-query/history-query.ts';
import { createChunkedRangeWeight, describeRangeWeight } from '../history-query/range-weight.ts';
import {
  STREAM_TIMEOUT_MS,
  sendStreamedHistory,
  streamedJsonSchema,
} from '../history-query/streamed-history.ts';
import { EndString, StartString } from '../history-query/time-range-schema.ts';
import { LOAN_DEPENDENCIES } from '../pricing/dependencies.ts';
import { isSameTarget, openRewardSeries } from './reward-history-series.ts';
import { rewardReserves } from './reward-schemas.ts';

/** Without a frequency, longer ranges are daily. */
const MAX_HOURLY_DAYS = 30n;
const LIMITS = { hour: 366n * DAY_SECONDS };
const FREQUENCIES = ['hour', 'day'] as const;
const EARLIEST = toUnixSeconds(0n);
const LATEST = toUnixSeconds(2n ** 62n);

const FrequencyString = Type.Unsafe<string>({
  type: 'string',
  enum: [...FREQUENCIES],
  description:
    'hour allows at most 366 days; defaults to hour for a range of at most 30 days, else to day',
});

const LendingRewardPoint = Type.Object(
  {
    timestamp: describe(IsoInstant, 'Time of the point, UTC'),
    ...rewardReserves,
    rewardToken: describe(AddressString, 'Mint of the reward token'),
    rewardApy: describe(DecimalString, 'Yearly reward at this time, not compounded, as a fraction'),
  },
  { title: 'LendingRewardPoint' },
);

const Params = Type.Object({
  depositReservePubkey: describe(
    AddressString,
    'Reserve of the deposit; 11111111111111111111111111111111 for a reward of debts only',
  ),
  borrowReservePubkey: describe(
    AddressString,
    'Reserve of the debt; 11111111111111111111111111111111 for a reward of deposits only',
  ),
});

const Query = Type.Object({
  start: Type.Optional(StartString),
  end: Type.Optional(EndString),
  frequency: Type.Optional(FrequencyString),
});

const POINTS_PER_UNIT = 100;

export const getLendingRewardHistory: Feature = (context) => async (app) => {
  const { clusters, clock } = context;
  const chunks = historyChunkCache(context);
  const builds = historyBuilds(context);
  app.get(
    '/klend/:depositReservePubkey/:borrowReservePubkey/rewards/history',
    {
      ...defineOperation(
        {
          operationId: 'getLendingRewardHistory',
          tag: 'lending',
          summary: 'Season reward history of a deposit, a debt or a pair',
          description: `Rewards of all seasons. For a reward for deposits only or debts only, the other reserve is 11111111111111111111111111111111. A point has the rate at its timestamp, on the full hour or at 00:00 UTC. Times without rewards have no point. Sorted by time, then by token. x-gaps lists times without samples. ${describeRangeWeight(POINTS_PER_UNIT)}`,
          weight: 1,
          ...createChunkedRangeWeight(
            clock,
            (range, { frequency }) =>
              FREQUENCIES.find((each) => each === frequency) ??
              defaultFrequency(range, MAX_HOURLY_DAYS),
            { pointsPerUnit: POINTS_PER_UNIT },
          ),
          hasEtag: true,
          computedFrom: [...LOAN_DEPENDENCIES, 'farm'],
          statuses: [400, 500],
        },
        {
          params: Params,
          querystring: Query,
          response: streamedJsonSchema(Type.Array(LendingRewardPoint)),
        },
      ),
      handlerTimeout: STREAM_TIMEOUT_MS,
    },
    async (request, reply) => {
      const { params, query: parameters } = request;
      const target = parseRewardTarget(params);
      const cluster = clusters.requireLoaded(undefined);
      const { unix: now } = cluster.reader.at();
      const requestedRange = parseQueryRange(parameters, { now });
      const seasons = cluster.registry.seasons.filter((season) => rewardsTarget(season, target));
      const range = clampToPresent(intersectRanges(requestedRange, spanOf(seasons)), now);
      const frequency = parseRangeFrequency(parameters.frequency, { requestedRange, range });
      const history = requireHistory(cluster);
      await setSampleGapsHeader(reply, history, range);
      const subject = toAddress(params.depositReservePubkey);
      const query = { history, seasons, subject, target, frequency };
      const series = await openRewardSeries(cluster, query);
      return await sendStreamedHistory(request, reply, {
        etag: chunks.etagOf(series, range),
        prefix: '[',
        suffix: ']',
        items: chunks.read(series, range, builds.enter(request, reply)),
      });
    },
  );
};

/** The rate at a time is known when the time has come. */
const clampToPresent = (range: TimeRange, now: UnixSeconds): TimeRange =>
  intersectRanges(range, { start: EARLIEST, end: toUnixSeconds(now + 1n) });

type PathParameters = {
  readonly depositReservePubkey: string;
  readonly borrowReservePubkey: string;
};

function parseRewardTarget({
  depositReservePubkey,
  borrowReservePubkey,
}: PathParameters): RewardTarget {
  const depositReserve = nonZeroAddress(toAddress(depositReservePubkey));
  const borrowReserve = nonZeroAddress(toAddress(borrowReservePubkey));
  if (depositReserve === undefined && borrowReserve === undefined) {
    const message =
      'at least one of depositReservePubkey and borrowReservePubkey must be a reserve';
    const issue = { path: ['depositReservePubkey'], code: 'custom', message };
    throw new CodedError('INVALID_PATH', { issues: [issue] });
  }
  return { ...(depositReserve && { depositReserve }), ...(borrowReserve && { borrowReserve }) };
}

const rewardsTarget = (season: Season, target: RewardTarget): boolean =>
  groupSeasonRewards(season).some((group) => isSameTarget(group.target, target));

/** From the start of the first season to the end of the last one. */
const spanOf = (seasons: readonly Season[]): TimeRange =>
  seasons.reduce<TimeRange>(
    (span, { start, end }) => ({
      start: start < span.start ? bucketStart(start, 'day') : span.start,
      end: end > span.end ? end : span.end,
    }),
    { start: LATEST, end: EARLIEST },
  );

type Ranges = { readonly requestedRange: TimeRange; readonly range: TimeRange };

function parseRangeFrequency(
  frequency: string | undefined,
  { requestedRange, range }: Ranges,
): 'hour' | 'day' {
  const fallback = defaultFrequency(requestedRange, MAX_HOURLY_DAYS);
  const parsed = parseFrequency(frequency, { allowed: FREQUENCIES, fallback });
  if ('issues' in parsed) throw invalidQuery(parsed.issues);
  requireRangeWithinLimit({ range, frequency: parsed.frequency }, LIMITS, true);
  return parsed.frequency;
}
