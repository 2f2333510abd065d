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
  type KeptReward,
  type VaultMetricsPoint as Point,
  viewVaultMetricsPoint,
} from '@tidegate/core/views/series';
import type { Static } from 'typebox';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { readRewards } from '../../../history/queries/reward-series.ts';
import { readSeries, readSpan } from '../../../history/queries/time-series.ts';
import { bucketSeconds, type SeriesRow } from '../../../history/schema/series-tables.ts';
import { seriesText } from '../../decimal-format/series-decimals.ts';
import type { VaultMetricsPoint } from './schema.ts';

export type VaultPastAsk = {
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
export async function tagOfVaultPast(history: HistoryReader, ask: VaultPastAsk): Promise<string> {
  const { vault, frequency, range, seasons } = ask;
  const span = await readSpan(history, { kind: 'vault', resolution: frequency, subject: vault });
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
export async function* readVaultMetricsPast(
  history: HistoryReader,
  ask: VaultPastAsk,
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
  { frequency, seasons, farmOf }: VaultPastAsk,
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
): Promise<ReadonlyMap<string, readonly KeptReward[]>> {
  const found = new Map<string, KeptReward[]>();
  for (const subject of subjects) {
    const rows = await readRewards(history, { subject, resolution: frequency, ...buckets });
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
  const apyTheoretical = seriesText(point.apyTheoretical);
  return {
    timestamp: formatInstant(at),
    tvl: seriesText(point.tvl),
    solTvl: seriesText(point.solTvl),
    apy: apyTheoretical,
    apyTheoretical,
    apyActual: seriesText(point.apyActual),
    apyFarmRewards: seriesText(point.apyFarmRewards),
    apyReservesIncentives: seriesText(point.apyReservesIncentives),
    apyIncentives: seriesText(point.apyIncentives),
    sharePrice: seriesText(point.sharePrice),
    interest: seriesText(point.interest),
    interestUsd: seriesText(point.interestUsd),
    interestSol: seriesText(point.interestSol),
    reserves: point.reserves.map(
      ({ reserve, supplyApy, rewardsApy, allocationRatio, rewards }) => ({
        pubkey: reserve,
        supplyApy: seriesText(supplyApy),
        rewardsApy: seriesText(rewardsApy),
        allocationRatio: seriesText(allocationRatio),
        rewardTokens: rewards.map(rewardJson),
      }),
    ),
    vaultRewards: point.vaultRewards.map(rewardJson),
  };
}

const rewardJson = ({ mint, apr }: KeptReward) => ({ tokenMint: mint, apy: seriesText(apr) });
