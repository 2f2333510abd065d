import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
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
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readSeries } from '../../history/queries/time-series.ts';
import { deriveSeasonSubject } from '../../history/rows/season-subject.ts';
import { defineOperation } from '../../http/operation.ts';
import { AddressString } from '../../http/schemas/primitives.ts';
import { parseFrequency } from '../../http/time-range-parameters.ts';
import type { FeatureContext } from '../feature-context.ts';
import {
  invalidQuery,
  parseQueryRange,
  requireHistory,
  requireRangeWithinLimit,
  setSampleGapsHeader,
} from '../history-query/history-query.ts';
import { createRangeWeight, RANGE_WEIGHT_DESCRIPTION } from '../history-query/range-weight.ts';
import { EndString, StartString } from '../history-query/time-range-schema.ts';
import { rewardReservesJson } from './reward-reserves-json.ts';
import { LendingRewardPoint } from './reward-schemas.ts';

/** Where no frequency is named, longer ranges come by the day. */
const HOURS_UP_TO_DAYS = 30n;
const LIMITS = { hour: 366n * DAY_SECONDS };
const FREQUENCIES = ['hour', 'day'] as const;
const EARLIEST = toUnixSeconds(0n);
const LATEST = toUnixSeconds(2n ** 62n);

const Frequency = Type.Unsafe<string>({
  type: 'string',
  enum: [...FREQUENCIES],
  description: 'hour for up to 366 days; if left out, hour for up to 30 days and day beyond',
});

/** What seasons gave loans at earlier times. */
export const getLendingRewardHistory =
  ({ clusters, clock }: Pick<FeatureContext, 'clusters' | 'clock'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/klend/:depositReservePubkey/:borrowReservePubkey/rewards/history',
      defineOperation(
        {
          operationId: 'getLendingRewardHistory',
          tag: 'lending',
          summary: 'What seasons gave for a deposit, a debt or a pair of both',
          description: `Of all seasons. For a reward of one side the other one is 11111111111111111111111111111111. The rate is that of the last sample of the hour or day, labelled with its start; times in which nothing was given have no point. By time, then by token. x-gaps names times without samples. ${RANGE_WEIGHT_DESCRIPTION}`,
          weight: 1,
          weightOf: createRangeWeight(
            clock,
            (range, { frequency }) =>
              FREQUENCIES.find((each) => each === frequency) ??
              defaultFrequency(range, HOURS_UP_TO_DAYS),
          ),
          statuses: [400, 500],
        },
        {
          params: Type.Object({
            depositReservePubkey: AddressString,
            borrowReservePubkey: AddressString,
          }),
          querystring: Type.Object({
            start: Type.Optional(StartString),
            end: Type.Optional(EndString),
            frequency: Type.Optional(Frequency),
          }),
          answer: Type.Array(LendingRewardPoint),
        },
      ),
      async ({ params, query }, reply) => {
        const sides = askedSides(params);
        const cluster = clusters.select(undefined);
        const { unix: now } = cluster.reader.at();
        const asked = parseQueryRange(query, { now });
        const seasons = cluster.registry.seasons.filter((season) => isRewarded(sides, season));
        const range = intersectRanges(asked, spanOf(seasons));
        const frequency = askedFrequency(query.frequency, { asked, range });
        const history = requireHistory(cluster);
        await setSampleGapsHeader(reply, history, range);
        return await rewardPoints({ history, seasons, sides, range, frequency });
      },
    );
  };

type PathParams = { readonly depositReservePubkey: string; readonly borrowReservePubkey: string };

function askedSides({ depositReservePubkey, borrowReservePubkey }: PathParams): RewardTarget {
  const depositReserve = nonZeroAddress(toAddress(depositReservePubkey));
  const borrowReserve = nonZeroAddress(toAddress(borrowReservePubkey));
  if (depositReserve === undefined && borrowReserve === undefined) {
    const message = 'name a reserve for the deposit, for the debt, or for both';
    const issue = { path: ['depositReservePubkey'], code: 'custom', message };
    throw new CodedError('INVALID_PATH', { issues: [issue] });
  }
  return { ...(depositReserve && { depositReserve }), ...(borrowReserve && { borrowReserve }) };
}

const isRewarded = (asked: RewardTarget, season: Season): boolean =>
  groupSeasonRewards(season).some(({ sides }) => rewardTargetKey(sides) === rewardTargetKey(asked));

/** From the first of the seasons to the end of the last; there can be nothing before and after. */
const spanOf = (seasons: readonly Season[]): TimeRange =>
  seasons.reduce<TimeRange>(
    (span, { start, end }) => ({
      start: start < span.start ? bucketStart(start, 'day') : span.start,
      end: end > span.end ? end : span.end,
    }),
    { start: LATEST, end: EARLIEST },
  );

type Ranges = { readonly asked: TimeRange; readonly range: TimeRange };

function askedFrequency(text: string | undefined, { asked, range }: Ranges): 'hour' | 'day' {
  const usual = defaultFrequency(asked, HOURS_UP_TO_DAYS);
  const parsed = parseFrequency(text, { allowed: FREQUENCIES, usual });
  if ('issues' in parsed) throw invalidQuery(parsed.issues);
  requireRangeWithinLimit({ range, frequency: parsed.frequency }, LIMITS, true);
  return parsed.frequency;
}

type HistoryAsk = {
  readonly history: HistoryReader;
  readonly seasons: readonly Season[];
  readonly sides: RewardTarget;
  readonly range: TimeRange;
  readonly frequency: 'hour' | 'day';
};

type RewardPoint = { readonly bucket: UnixSeconds; readonly token: Address; readonly apr: Ratio };

/** Of several seasons at once that give one token the rates are added. */
async function rewardPoints(ask: HistoryAsk): Promise<Static<typeof LendingRewardPoint>[]> {
  const points = new Map<string, RewardPoint>();
  for (const season of ask.seasons) {
    for (const { sides, rewardToken } of groupSeasonRewards(season)) {
      if (rewardTargetKey(sides) !== rewardTargetKey(ask.sides)) continue;
      const subject = deriveSeasonSubject(season.source, sides);
      for await (const { bucket, apr } of seriesOf(ask, subject, rewardToken)) {
        const key = `${bucket} ${rewardToken}`;
        const known = points.get(key);
        const both = known === undefined ? apr : addRatio(known.apr, apr);
        points.set(key, { bucket, token: rewardToken, apr: both });
      }
    }
  }
  return [...points.values()].sort(byTime).map(({ bucket, token, apr }) => ({
    timestamp: formatInstant(bucket),
    ...rewardReservesJson(ask.sides),
    rewardToken: token,
    rewardApy: formatRatio(apr, SERIES_DIGITS),
  }));
}

/** Samples of times in which nothing is paid are kept for the positions alone. */
async function* seriesOf(
  { history, range, frequency }: HistoryAsk,
  subject: Address,
  mint: Address,
) {
  const ask = { kind: 'reward', resolution: frequency, subject, mint } as const;
  for await (const rows of readSeries(history, ask, { from: range.start, to: range.end })) {
    yield* rows.filter(({ rate }) => rate.numerator > 0n);
  }
}

const byTime = (a: RewardPoint, b: RewardPoint): number => {
  if (a.bucket !== b.bucket) return a.bucket < b.bucket ? -1 : 1;
  return a.token < b.token ? -1 : 1;
};
