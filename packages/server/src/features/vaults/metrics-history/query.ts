import { createHash } from 'node:crypto';
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
import { formatSeriesRatio } from '../../decimal-format/series-decimals.ts';
import type { VaultMetricsPoint } from './schema.ts';

export type VaultMetricsHistoryQuery = {
  readonly vault: Address;
  readonly frequency: 'hour' | 'day';
  /** Of the instants that points are told for. */
  readonly range: TimeRange;
  /** What seasons give for its shares is kept under these. */
  readonly seasons: readonly Address[];
  /** In which depositors of a reserve are rewarded. */
  readonly farmOf: (reserve: Address) => Address | undefined;
};

type Buckets = { readonly from: UnixSeconds; readonly to: UnixSeconds };

/** So many points are made before the next are. */
const AT_ONCE = 100;

/** What tells it from any other answer: what was asked for, and how far what it is made from goes. */
export async function vaultMetricsHistoryEtag(
  history: HistoryReader,
  ask: VaultMetricsHistoryQuery,
): Promise<string> {
  const { vault, frequency, range, seasons } = ask;
  const span = await readSeriesSpan(history, {
    kind: 'vault',
    resolution: frequency,
    subject: vault,
  });
  const { unix, slot } = span?.newest ?? { unix: 0n, slot: 0n };
  const last = unix + bucketSeconds[frequency];
  const end = range.end < last ? range.end : last;
  const facts = [vault, frequency, range.start, end, slot, ...seasons].join(' ');
  return createHash('sha256').update(facts).digest('base64url').slice(0, 22);
}

/**
 * Points as JSON, each with a comma before it. One is told for the instant at which its bucket ends: the last
 * snapshot before it.
 */
export async function* readVaultMetricsHistory(
  history: HistoryReader,
  ask: VaultMetricsHistoryQuery,
): AsyncGenerator<Buffer> {
  const { vault, frequency, range } = ask;
  if (isEmptyRange(range)) return;
  const length = bucketSeconds[frequency];
  const buckets = {
    from: toUnixSeconds(range.start - length),
    to: toUnixSeconds(range.end - length),
  };
  const series = { kind: 'vault', resolution: frequency, subject: vault } as const;
  for await (const rows of readSeries(history, series, buckets)) {
    for (let start = 0; start < rows.length; start += AT_ONCE) {
      const points = await pointsOf(history, rows.slice(start, start + AT_ONCE), ask);
      yield Buffer.from(points.map((point) => `,${JSON.stringify(point)}`).join(''));
    }
  }
}

async function pointsOf(
  history: HistoryReader,
  rows: readonly SeriesRow<'vault'>[],
  { frequency, seasons, farmOf }: VaultMetricsHistoryQuery,
): Promise<Static<typeof VaultMetricsPoint>[]> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return [];
  const length = bucketSeconds[frequency];
  const buckets = { from: first.bucket, to: toUnixSeconds(last.bucket + 1n) };
  const givers = new Set(seasons);
  for (const { farm, reserves } of rows) {
    for (const each of [farm, ...reserves.map(farmOf)]) if (each) givers.add(each);
  }
  const rewards = await readGiven(history, [...givers], { frequency, buckets });
  return rows.map((row) => {
    const { farm, bucket } = row;
    const of = (subject: Address | null | undefined) =>
      subject ? (rewards.get(rewardKey(subject, bucket)) ?? []) : [];
    const point = viewVaultMetricsPoint(row, {
      ofVault: of(farm),
      ofReserve: (reserve) => of(farmOf(reserve)),
      ofSeasons: seasons.flatMap(of),
    });
    return pointJson(toUnixSeconds(bucket + length), point);
  });
}

const rewardKey = (subject: Address, bucket: UnixSeconds): string => `${subject} ${bucket}`;

/** What farms and seasons gave, by subject and bucket. */
async function readGiven(
  history: HistoryReader,
  subjects: readonly Address[],
  { frequency, buckets }: { readonly frequency: 'hour' | 'day'; readonly buckets: Buckets },
): Promise<ReadonlyMap<string, readonly RewardApr[]>> {
  const found = new Map<string, RewardApr[]>();
  for (const subject of subjects) {
    const rows = await readRewardSeries(history, { subject, resolution: frequency, ...buckets });
    for (const { bucket, mint, apr, rate } of rows) {
      if (rate.numerator === 0n) continue;
      const key = rewardKey(subject, bucket);
      const list = found.get(key);
      if (list === undefined) found.set(key, [{ mint, apr }]);
      else list.push({ mint, apr });
    }
  }
  return found;
}

function pointJson(at: UnixSeconds, point: Point): Static<typeof VaultMetricsPoint> {
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
