import {
  type Address,
  formatInstant,
  isEmptyRange,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import {
  type VaultMetricsPoint as Point,
  type RewardApr,
  viewVaultMetricsPoint,
} from '@tidegate/core/views/series';
import type { Static } from 'typebox';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { readRewardSeries } from '../../../history/queries/reward-series.ts';
import { readSeries, readSeriesSpan } from '../../../history/queries/time-series.ts';
import { bucketSeconds, type SeriesRow } from '../../../history/schema/series-tables.ts';
import { createEtag } from '../../../http/cache/etag.ts';
import { formatSeriesRatio } from '../../decimal-format/series-decimals.ts';
import type { VaultMetricsPoint } from './schema.ts';

export type VaultMetricsHistoryQuery = {
  readonly vault: Address;
  readonly frequency: 'hour' | 'day';
  /** Limits the timestamps of the points. */
  readonly range: TimeRange;
  /** Series subjects of the seasons that reward its shares. */
  readonly seasonSubjects: readonly Address[];
  /** Collateral farm of a reserve. */
  readonly farmOf: (reserve: Address) => Address | undefined;
};

type Buckets = { readonly from: UnixSeconds; readonly to: UnixSeconds };

const POINTS_PER_CHUNK = 100;

/** Depends on the query and on the newest sample in its range. */
export async function vaultMetricsHistoryEtag(
  history: HistoryReader,
  { vault, frequency, range, seasonSubjects }: VaultMetricsHistoryQuery,
): Promise<string> {
  const span = await readSeriesSpan(history, {
    kind: 'vault',
    resolution: frequency,
    subject: vault,
  });
  const { unix, slot } = span?.newest ?? { unix: 0n, slot: 0n };
  const last = unix + bucketSeconds[frequency];
  const end = range.end < last ? range.end : last;
  const key = [vault, frequency, range.start, end, slot, ...seasonSubjects].join(' ');
  return createEtag(key);
}

/** Points as JSON, each with a leading comma. The timestamp of a point is the end of its bucket. */
export async function* readVaultMetricsHistory(
  history: HistoryReader,
  query: VaultMetricsHistoryQuery,
): AsyncGenerator<Buffer> {
  const { vault, frequency, range } = query;
  if (isEmptyRange(range)) return;
  const length = bucketSeconds[frequency];
  const buckets = {
    from: toUnixSeconds(range.start - length),
    to: toUnixSeconds(range.end - length),
  };
  const series = { kind: 'vault', resolution: frequency, subject: vault } as const;
  for await (const rows of readSeries(history, series, buckets)) {
    for (let start = 0; start < rows.length; start += POINTS_PER_CHUNK) {
      const points = await readPoints(history, rows.slice(start, start + POINTS_PER_CHUNK), query);
      yield Buffer.from(points.map((point) => `,${JSON.stringify(point)}`).join(''));
    }
  }
}

async function readPoints(
  history: HistoryReader,
  rows: readonly SeriesRow<'vault'>[],
  { frequency, seasonSubjects, farmOf }: VaultMetricsHistoryQuery,
): Promise<Static<typeof VaultMetricsPoint>[]> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return [];
  const length = bucketSeconds[frequency];
  const buckets = { from: first.bucket, to: toUnixSeconds(last.bucket + 1n) };
  const subjects = new Set(seasonSubjects);
  for (const { farm, reserves } of rows) {
    for (const subject of [farm, ...reserves.map(farmOf)]) if (subject) subjects.add(subject);
  }
  const rewards = await readRewards(history, [...subjects], { frequency, buckets });
  return rows.map((row) => {
    const { farm, bucket } = row;
    const rewardsOf = (subject: Address | null | undefined) =>
      subject ? (rewards.get(rewardKey(subject, bucket)) ?? []) : [];
    const point = viewVaultMetricsPoint(row, {
      vaultRewards: rewardsOf(farm),
      rewardsOfReserve: (reserve) => rewardsOf(farmOf(reserve)),
      seasonRewards: seasonSubjects.flatMap(rewardsOf),
    });
    return vaultPointJson(toUnixSeconds(bucket + length), point);
  });
}

const rewardKey = (subject: Address, bucket: UnixSeconds): string => `${subject} ${bucket}`;

/** Reward rates of farms and seasons by subject and bucket. */
async function readRewards(
  history: HistoryReader,
  subjects: readonly Address[],
  { frequency, buckets }: { readonly frequency: 'hour' | 'day'; readonly buckets: Buckets },
): Promise<ReadonlyMap<string, readonly RewardApr[]>> {
  const rewards = new Map<string, RewardApr[]>();
  for (const subject of subjects) {
    const rows = await readRewardSeries(history, { subject, resolution: frequency, ...buckets });
    for (const { bucket, mint, apr, rate } of rows) {
      if (rate.numerator === 0n) continue;
      const key = rewardKey(subject, bucket);
      const list = rewards.get(key);
      if (list === undefined) rewards.set(key, [{ mint, apr }]);
      else list.push({ mint, apr });
    }
  }
  return rewards;
}

export function vaultPointJson(at: UnixSeconds, point: Point): Static<typeof VaultMetricsPoint> {
  const apyTheoretical = formatSeriesRatio(point.apyTheoretical);
  return {
    timestamp: formatInstant(at),
    tvl: formatSeriesRatio(point.tvl),
    solTvl: formatSeriesRatio(point.solTvl),
    apy: apyTheoretical,
    apyTheoretical,
    apyActual: formatSeriesRatio(point.apyActual),
    apyFarmRewards: formatSeriesRatio(point.apyFarmRewards),
    apyReservesIncentives: formatSeriesRatio(point.apyReservesIncentives),
    apyIncentives: formatSeriesRatio(point.apyIncentives),
    sharePrice: formatSeriesRatio(point.sharePrice),
    interest: formatSeriesRatio(point.interest),
    interestUsd: formatSeriesRatio(point.interestUsd),
    interestSol: formatSeriesRatio(point.interestSol),
    reserves: point.reserves.map(
      ({ reserve, supplyApy, rewardsApy, allocationRatio, rewards }) => ({
        pubkey: reserve,
        supplyApy: formatSeriesRatio(supplyApy),
        rewardsApy: formatSeriesRatio(rewardsApy),
        allocationRatio: formatSeriesRatio(allocationRatio),
        rewardTokens: rewards.map(rewardJson),
      }),
    ),
    vaultRewards: point.vaultRewards.map(rewardJson),
  };
}

const rewardJson = ({ mint, apr }: RewardApr) => ({ tokenMint: mint, apy: formatSeriesRatio(apr) });
