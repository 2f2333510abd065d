import { createHash } from 'node:crypto';
import {
  type Address,
  addRatio,
  bucketStart,
  CodedError,
  DAY_SECONDS,
  defaultFrequency,
  formatInstant,
  formatRatio,
  intersectRanges,
  nonZeroAddress,
  type Ratio,
  SERIES_DIGITS,
  type TimeRange,
  toAddress,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import {
  groupSeasonRewards,
  type RewardTarget,
  rewardTargetKey,
  type Season,
} from '@tidegate/core/views/rewards';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readSeries, readSeriesSpan, type SeriesSpan } from '../../history/queries/time-series.ts';
import { deriveSeasonSubject } from '../../history/rows/season-subject.ts';
import { bucketsOf, bucketTime } from '../../history/schema/series-tables.ts';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, DecimalString, IsoInstant } from '../../http/schemas/primitives.ts';
import { parseFrequency } from '../../http/time-range-parameters.ts';
import type { Feature } from '../feature-context.ts';
import { historyBuilds } from '../history-query/build-queue.ts';
import {
  type ChunkedSeries,
  EMPTY_SERIES_SPAN,
  historyChunkCache,
  labelledSpan,
} from '../history-query/history-chunk-cache.ts';
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
import { rewardReservesJson } from './reward-reserves-json.ts';
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

const POINTS_PER_UNIT = 200;

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
      const series = await openSeries(cluster, query);
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

const isSameTarget = (a: RewardTarget, b: RewardTarget): boolean =>
  rewardTargetKey(a) === rewardTargetKey(b);

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

type RewardSeries = {
  /** The reserve of the deposit; zero for a reward of debts. */
  readonly subject: Address;
  readonly history: HistoryReader;
  readonly seasons: readonly Season[];
  readonly target: RewardTarget;
  readonly frequency: 'hour' | 'day';
};

type StoredSeries = { readonly subject: Address; readonly mint: Address };

/** The series that are added, one for each season and token. */
const storedSeriesOf = ({ seasons, target }: RewardSeries): readonly StoredSeries[] =>
  seasons.flatMap((season) =>
    groupSeasonRewards(season)
      .filter((group) => isSameTarget(group.target, target))
      .map((group) => ({
        subject: deriveSeasonSubject(season.source, group.target),
        mint: group.rewardToken,
      })),
  );

/** The added series are part of the name, because the registry can change. */
async function openSeries(
  { env }: Cluster,
  query: RewardSeries,
): Promise<ChunkedSeries<RewardPoint>> {
  const { target, frequency } = query;
  const stored = storedSeriesOf(query);
  const sources = createHash('sha256').update(
    stored.map(({ subject, mint }) => `${subject} ${mint}`).join(),
  );
  return {
    name: `${env} reward ${frequency} ${rewardTargetKey(target)} ${sources.digest('base64url')}`,
    subject: query.subject,
    frequency,
    span: await readSpan(query, stored),
    async *read(range) {
      yield await readRewardPoints({ ...query, stored, range });
    },
    timeOf: ({ bucket }) => bucketTime(bucket, frequency),
    itemsOf: (points) => points.map((point) => JSON.stringify(pointJson(point, query))),
  };
}

/** From the first to the newest sample of all series. */
async function readSpan(
  { history, frequency }: RewardSeries,
  stored: readonly StoredSeries[],
): Promise<SeriesSpan> {
  let all: SeriesSpan | undefined;
  for (const { subject, mint } of stored) {
    const query = { kind: 'reward', resolution: frequency, subject, mint } as const;
    const span = await readSeriesSpan(history, query);
    if (span === undefined) continue;
    all = {
      first: all !== undefined && all.first < span.first ? all.first : span.first,
      newest: all !== undefined && all.newest.slot > span.newest.slot ? all.newest : span.newest,
    };
  }
  return all === undefined ? EMPTY_SERIES_SPAN : labelledSpan(all, frequency);
}

type RewardHistoryQuery = RewardSeries & {
  readonly stored: readonly StoredSeries[];
  readonly range: TimeRange;
};

type RewardPoint = { readonly bucket: UnixSeconds; readonly token: Address; readonly apr: Ratio };

/** Adds the rates of simultaneous seasons that pay the same token. */
async function readRewardPoints(query: RewardHistoryQuery): Promise<readonly RewardPoint[]> {
  const points = new Map<string, RewardPoint>();
  for (const series of query.stored) {
    for await (const { bucket, mint: token, apr } of readPaidRows(query, series)) {
      const key = `${bucket} ${token}`;
      const point = points.get(key);
      const totalApr = point === undefined ? apr : addRatio(point.apr, apr);
      points.set(key, { bucket, token, apr: totalApr });
    }
  }
  return [...points.values()].sort(compareByTime);
}

const pointJson = (
  { bucket, token, apr }: RewardPoint,
  { target, frequency }: RewardSeries,
): Static<typeof LendingRewardPoint> => ({
  timestamp: formatInstant(bucketTime(bucket, frequency)),
  ...rewardReservesJson(target),
  rewardToken: token,
  rewardApy: formatRatio(apr, SERIES_DIGITS),
});

/** Skips samples without a rate, which are stored for their position values only. */
async function* readPaidRows(
  { history, range, frequency }: RewardHistoryQuery,
  stored: StoredSeries,
) {
  const series = { kind: 'reward', resolution: frequency, ...stored } as const;
  for await (const rows of readSeries(history, series, bucketsOf(range, frequency))) {
    yield* rows.filter(({ rate }) => rate.numerator > 0n);
  }
}

const compareByTime = (a: RewardPoint, b: RewardPoint): number => {
  if (a.bucket !== b.bucket) return a.bucket < b.bucket ? -1 : 1;
  return a.token < b.token ? -1 : 1;
};
