import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Address, formatInstant, type TimeRange, type UnixSeconds } from '@tidegate/core/base';
import { reserve as layout } from '@tidegate/core/protocol/klend/layout';
import { collectAvailable } from '@tidegate/core/views/lending';
import {
  type VaultMetricsPoint as Point,
  type RewardApr,
  viewVaultMetricsPoint,
} from '@tidegate/core/views/series';
import { trackPrices } from '@tidegate/core/views/vaults';
import type { Static } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { type RewardRow, readRewardSeries } from '../../../history/queries/reward-series.ts';
import { readVaultMetrics, type VaultMetricsRow } from '../../../history/queries/vault-series.ts';
import { deriveSeasonSubject } from '../../../history/rows/season-subject.ts';
import { bucketsOf, bucketTime } from '../../../history/schema/series-tables.ts';
import { formatSeriesRatio } from '../../../support/decimals/series-decimals.ts';
import type {
  HistoryPoints,
  PointsRequest,
  PresentPoints,
} from '../../../support/history/define-history.ts';
import { EMPTY_SERIES_SPAN, labelledSpan } from '../../../support/history/history-chunk-cache.ts';
import { presentVaultRow } from '../../../support/history/present-rows.ts';
import { vaultPricingCache } from '../../../support/pricing/vault-pricing-cache.ts';
import type { VaultMetricsPoint } from './schema.ts';

type Request = PointsRequest<Address, 'hour' | 'day'>;

type TimedPoint = { readonly time: UnixSeconds; readonly point: Point };

/** The timestamp of a point is the end of its bucket. */
export async function openVaultPoints(request: Request): Promise<HistoryPoints<TimedPoint>> {
  const { cluster, history, subject: vault, frequency, span } = request;
  const { env, reader } = cluster;
  const seasonSubjects = seasonSubjectsOf(cluster, vault);
  const sources = createHash('sha256').update(seasonSubjects.join()).update(farmsOf(reader));
  return {
    estimated: estimatedFields(cluster, vault),
    series: {
      name: `${env} vault ${frequency} ${sources.digest('base64url')}`,
      subject: vault,
      frequency,
      span: span === undefined ? EMPTY_SERIES_SPAN : labelledSpan(span, frequency),
      read: (range) => readPoints(history, { vault, frequency, seasonSubjects, range, reader }),
      timeOf: ({ time }) => time,
      itemsOf: (points) =>
        points.map(({ time, point }) => JSON.stringify(vaultPointJson(time, point))),
    },
    present: () => presentPoints(request),
  };
}

/** Series subjects of the seasons that reward the shares of a vault. */
const seasonSubjectsOf = ({ registry }: Cluster, vault: Address): readonly Address[] =>
  registry.seasons
    .filter(({ rewards }) => rewards.some((reward) => reward.vault === vault))
    .map(({ source }) => deriveSeasonSubject(source, { vault }));

/** What a vault earned before the first sample is valued at the prices of that sample. */
function estimatedFields({ reader, recording }: Cluster, vault: Address): string[] {
  const createdAt = reader.vault(vault)?.fields.creationTimestamp ?? 0n;
  const sampledSince = recording?.vaultHistoryCache.sampledSince() ?? 0n;
  return createdAt < sampledSince ? ['interestUsd', 'interestSol'] : [];
}

/** The current state; empty for an unknown or unavailable vault. */
function presentPoints({ context, cluster, subject, frequency }: Request): PresentPoints {
  const pricing = trackPrices(vaultPricingCache(context)(cluster));
  const known = cluster.reader.vault(subject) === undefined ? [] : [{ address: subject }];
  const { items } = collectAvailable(known, ({ address: vault }) => {
    const query = { vault, resolution: frequency };
    const { row, rewards } = presentVaultRow(cluster, pricing, query);
    return JSON.stringify(vaultPointJson(row.at, viewVaultMetricsPoint(row, rewards)));
  });
  return { items, priceAges: pricing.priceAges() };
}

const FARM_OFFSET = layout.offsets.farmCollateral;
const ADDRESS_BYTES = 32;

/** Addresses of all reserves' collateral farms, whose rewards belong to the points. */
function farmsOf(reader: Cluster['reader']): Uint8Array {
  const reserves = reader.markets().flatMap(({ address }) => reader.reservesOf(address));
  return Buffer.concat(
    reserves.map(({ data }) => data.subarray(FARM_OFFSET, FARM_OFFSET + ADDRESS_BYTES)),
  );
}

type PointsQuery = {
  readonly vault: Address;
  readonly frequency: 'hour' | 'day';
  readonly seasonSubjects: readonly Address[];
  readonly range: TimeRange;
  readonly reader: Cluster['reader'];
};

async function* readPoints(
  history: HistoryReader,
  { vault, frequency, seasonSubjects, range, reader }: PointsQuery,
): AsyncGenerator<readonly TimedPoint[]> {
  const buckets = bucketsOf(range, frequency);
  const rows = await readVaultMetrics(history, { vault, resolution: frequency }, buckets);
  const farmOf = createFarmLookup(reader);
  const subjects = new Set(seasonSubjects);
  for (const { farm, reserves } of rows) {
    for (const subject of [farm, ...reserves.map(farmOf)]) if (subject) subjects.add(subject);
  }
  const query = { subjects: [...subjects], resolution: frequency, ...buckets };
  const rewards = groupRewards(await readRewardSeries(history, query));
  const toPoint = (row: VaultMetricsRow): TimedPoint => {
    const { farm, bucket } = row;
    const rewardsOf = (subject: Address | null | undefined) =>
      subject ? (rewards.get(rewardKey(subject, bucket)) ?? []) : [];
    const point = viewVaultMetricsPoint(row, {
      vaultRewards: rewardsOf(farm),
      rewardsOfReserve: (reserve) => rewardsOf(farmOf(reserve)),
      seasonRewards: seasonSubjects.flatMap(rewardsOf),
    });
    return { time: bucketTime(bucket, frequency), point };
  };
  for (let start = 0; start < rows.length; start += POINTS_PER_BATCH) {
    yield rows.slice(start, start + POINTS_PER_BATCH).map(toPoint);
    await setImmediate();
  }
}

/** Computed before other requests have their turn. */
const POINTS_PER_BATCH = 50;

/** The collateral farm of a reserve. */
function createFarmLookup(reader: Cluster['reader']): (reserve: Address) => Address | undefined {
  const farms = new Map<Address, Address | undefined>();
  return (reserve) => {
    if (!farms.has(reserve)) farms.set(reserve, reader.reserve(reserve)?.fields.farmCollateral);
    return farms.get(reserve);
  };
}

const rewardKey = (subject: Address, bucket: UnixSeconds): string => `${subject} ${bucket}`;

/** Reward rates of farms and seasons by subject and bucket. */
function groupRewards(rows: readonly RewardRow[]): ReadonlyMap<string, readonly RewardApr[]> {
  const rewards = new Map<string, RewardApr[]>();
  for (const { subject, bucket, mint, apr, rate } of rows) {
    if (rate.numerator === 0n) continue;
    const key = rewardKey(subject, bucket);
    const list = rewards.get(key);
    if (list === undefined) rewards.set(key, [{ mint, apr }]);
    else list.push({ mint, apr });
  }
  return rewards;
}

function vaultPointJson(at: UnixSeconds, point: Point): Static<typeof VaultMetricsPoint> {
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
