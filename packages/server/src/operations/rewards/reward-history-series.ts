import { createHash } from 'node:crypto';
import {
  type Address,
  addRatio,
  formatInstant,
  formatRatio,
  type Ratio,
  SERIES_DIGITS,
  type TimeRange,
  type UnixSeconds,
} from '@tidegate/core/base';
import {
  groupSeasonRewards,
  type RewardTarget,
  rewardTargetKey,
  type Season,
} from '@tidegate/core/views/rewards';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readSeries, readSeriesSpan, type SeriesSpan } from '../../history/queries/time-series.ts';
import { deriveSeasonSubject } from '../../history/rows/season-subject.ts';
import { bucketsOf, bucketTime } from '../../history/schema/series-tables.ts';
import type { HistoryPoints, PointsRequest } from '../../support/history/define-history.ts';
import { EMPTY_SERIES_SPAN, labelledSpan } from '../../support/history/history-chunk-cache.ts';
import { isSameTarget, type RewardedReserves, seasonsOf } from './reward-history-target.ts';
import { rewardReservesJson } from './reward-reserves-json.ts';

type RewardSeries = {
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
export async function openRewardPoints({
  cluster,
  history,
  subject,
  frequency,
}: PointsRequest<RewardedReserves, 'hour' | 'day'>): Promise<HistoryPoints<RewardPoint>> {
  const { target, depositAddress } = subject;
  const query = { history, seasons: seasonsOf(cluster, subject), target, frequency };
  const stored = storedSeriesOf(query);
  const added = stored.map((each) => `${each.subject} ${each.mint}`).join();
  const sources = createHash('sha256').update(added).digest('base64url');
  return {
    series: {
      name: `${cluster.env} reward ${frequency} ${rewardTargetKey(target)} ${sources}`,
      subject: depositAddress,
      frequency,
      span: await readSpan(query, stored),
      async *read(range) {
        yield await readRewardPoints({ ...query, stored, range });
      },
      timeOf: ({ bucket }) => bucketTime(bucket, frequency),
      itemsOf: (points) => points.map((point) => JSON.stringify(pointJson(point, query))),
    },
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

const pointJson = ({ bucket, token, apr }: RewardPoint, { target, frequency }: RewardSeries) => ({
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
