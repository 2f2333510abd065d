import { setImmediate } from 'node:timers/promises';
import {
  type Address,
  bucketStart,
  bucketStarts,
  intersectRanges,
  isEmptyRange,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import {
  iterateUserVaultPoints,
  type UserEarnPoint,
  type UserSharesChange,
  type UserVaultPoint,
  type UserVaultProgress,
  viewUserEarnPoint,
} from '@tidegate/core/views/series';
import { totalShares } from '@tidegate/core/views/vaults';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readVaultHoldings } from '../../history/queries/vault-holdings.ts';
import {
  readHourlyVaultEarnings,
  type VaultEarningsRow,
} from '../../history/queries/vault-series.ts';
import type { StateRow } from '../../history/schema/event-tables.ts';
import {
  bucketOf,
  bucketSeconds,
  bucketsOf,
  bucketTime,
} from '../../history/schema/series-tables.ts';
import type { RunQueued } from '../history/history-queue.ts';
import { waitForTurn } from '../history/wide-read-turns.ts';
import { readRates, toChanges } from './share-changes.ts';
import {
  type FinalShares,
  hasSameChanges,
  type SampledShares,
  type ShareHistoryCache,
} from './share-history-cache.ts';

export type ShareHistoryQuery = {
  readonly env: ClusterName;
  readonly wallet: Address;
  readonly frequency: 'hour' | 'day';
  /** Limits the timestamps of the points. */
  readonly range: TimeRange;
  /** If the last point is the current state. */
  readonly present: Present | undefined;
  readonly cache: ShareHistoryCache;
  /** Runs what is not cached. */
  readonly build: RunQueued;
};

type Present = {
  readonly at: UnixSeconds;
  /** A vault now; undefined for an unknown or unavailable vault. */
  readonly rowOf: (vault: Address) => VaultEarningsRow | undefined;
};

export type TimedPoint<Point> = readonly [at: UnixSeconds, point: Point];

/** Later than any change. */
const END_OF_TIME = toUnixSeconds(2n ** 62n);

/** Ascending. */
type SharesByTime = ReadonlyMap<UnixSeconds, SampledShares>;

/** The shares of a wallet in a vault, at the times with shares, and the changes that they result from. */
export type VaultShareHistory = {
  readonly changes: readonly UserSharesChange[];
  readonly points: readonly TimedPoint<UserVaultPoint>[];
  /** The current state. */
  readonly present: UserVaultPoint | undefined;
};

export async function readShareHistory(
  history: HistoryReader,
  vault: Address,
  query: ShareHistoryQuery,
): Promise<VaultShareHistory> {
  const { wallet } = query;
  if (hasNoPoints(query)) return { changes: [], points: [], present: undefined };
  const holdings = await readVaultHoldings(history, { wallet, vault }, endOf(query));
  const rates = await readRates(history, { wallet, vault, to: endOf(query) });
  const changes = toChanges(holdings, rates);
  const { sampled, present } = await readSharesByTime(history, changes, { ...query, vault });
  const points = [...sampled].flatMap(([at, { point }]) =>
    point === undefined ? [] : [[at, point] as const],
  );
  return { changes, points, present: present?.point };
}

/** Totals of all vaults of a wallet. */
export type WalletShareHistory = {
  /** At the times with shares. */
  readonly points: readonly TimedPoint<UserEarnPoint>[];
  /** Times at which a vault with shares has no sample or no price. Ascending. */
  readonly unknown: readonly UnixSeconds[];
  /** Of the first holding; undefined for a wallet that never had shares. */
  readonly since: UnixSeconds | undefined;
};

export async function readWalletShareHistory(
  history: HistoryReader,
  requested: ShareHistoryQuery,
): Promise<WalletShareHistory> {
  const { wallet } = requested;
  if (hasNoPoints(requested)) return { points: [], unknown: [], since: undefined };
  const holdings = await readVaultHoldings(history, { wallet }, endOf(requested));
  const query = isValued(holdings, requested) ? requested : { ...requested, present: undefined };
  const rates = await readRates(history, { wallet, to: endOf(query) });
  const vaults: VaultShares[] = [];
  for (const vault of new Set(holdings.map((holding) => holding.vault))) {
    const changes = toChanges(
      holdings.filter((holding) => holding.vault === vault),
      rates,
    );
    const { sampled, present } = await readSharesByTime(history, changes, { ...query, vault });
    const shares = new Map(sampled);
    if (query.present !== undefined && present !== undefined) shares.set(query.present.at, present);
    vaults.push({ changes, shares });
  }
  const since = firstTime(holdings);
  const labels = since === undefined ? [] : labelsSince(since, query);
  const { points, unknown } = addVaults(vaults, labels);
  return { points: replaceRunning(points, query), unknown, since };
}

const firstTime = (holdings: readonly StateRow<'vaultHolding'>[]): UnixSeconds | undefined =>
  holdings.reduce<UnixSeconds | undefined>(
    (first, { at }) => (first === undefined || at < first ? at : first),
    undefined,
  );

/** The times of the points. */
function labelsSince(
  since: UnixSeconds,
  { range, frequency, present }: ShareHistoryQuery,
): readonly UnixSeconds[] {
  const stored = bucketStarts(intersectRanges(range, { start: since, end: range.end }), frequency);
  return present === undefined || stored.includes(present.at) ? stored : [...stored, present.at];
}

type VaultShares = { readonly changes: readonly UserSharesChange[]; readonly shares: SharesByTime };

/** A total without one of its vaults would be wrong. */
function addVaults(
  vaults: readonly VaultShares[],
  times: readonly UnixSeconds[],
): Pick<WalletShareHistory, 'points' | 'unknown'> {
  const points: TimedPoint<UserEarnPoint>[] = [];
  const unknown: UnixSeconds[] = [];
  for (const at of times) {
    const found = vaults.map((vault) => sharesAt(vault, at));
    const known = found.flatMap((point) => (point === 'unknown' ? [] : (point ?? [])));
    if (found.includes('unknown')) unknown.push(at);
    else if (known.length > 0) points.push([at, viewUserEarnPoint(known)]);
  }
  return { points, unknown };
}

function sharesAt(
  { changes, shares }: VaultShares,
  at: UnixSeconds,
): UserVaultPoint | 'unknown' | undefined {
  const sampled = shares.get(at);
  if (sampled === undefined) {
    const held = changes.findLast((change) => change.at <= at)?.shares ?? 0n;
    return held === 0n ? undefined : 'unknown';
  }
  return sampled.point === undefined || sampled.isPriced ? sampled.point : 'unknown';
}

/** Whether all vaults with shares are available now: a total without one of them would be wrong. */
function isValued(
  holdings: readonly StateRow<'vaultHolding'>[],
  { present }: ShareHistoryQuery,
): boolean {
  const shares = new Map(holdings.map((holding) => [holding.vault, totalShares(holding)]));
  return [...shares].every(([vault, held]) => held === 0n || present?.rowOf(vault) !== undefined);
}

/** Drops the point at the start of the running interval if there is one of the current state. */
function replaceRunning<Point>(
  points: readonly TimedPoint<Point>[],
  { present, frequency }: ShareHistoryQuery,
): readonly TimedPoint<Point>[] {
  if (present === undefined || points.at(-1)?.[0] !== present.at) return points;
  const start = bucketStart(present.at, frequency);
  return points.filter(([at]) => at < start || at === present.at);
}

const hasNoPoints = ({ range, present }: ShareHistoryQuery): boolean =>
  isEmptyRange(range) && present === undefined;

/** Changes after this time do not count. */
export const endOf = ({
  range,
  present,
}: Pick<ShareHistoryQuery, 'range' | 'present'>): UnixSeconds =>
  present === undefined ? range.end : END_OF_TIME;

type VaultQuery = ShareHistoryQuery & { readonly vault: Address };

/**
 * Interest accrues hourly for both frequencies, so that they agree at each timestamp. The point of a day is that of
 * its last hour. Points that can no longer change are cached.
 */
async function readSharesByTime(
  history: HistoryReader,
  changes: readonly UserSharesChange[],
  query: VaultQuery,
): Promise<VaultSamples> {
  if (changes.length === 0) return { sampled: new Map(), present: undefined };
  const { range, present, vault, cache, build } = query;
  // before anything is awaited, so that its time is that of the request
  const current = present?.rowOf(vault);
  const known = findFinal(query, changes);
  const read = () => readSamples(history, changes, { ...query, known });
  const { last, newest } = known === undefined ? await build(read) : await read();
  await waitForTurn();
  const points = new Map<UnixSeconds, SampledShares>();
  for (const [at, shares] of known?.points ?? []) if (isIn(range, at)) points.set(at, shares);
  for (const [at, sampled] of last) if (isIn(range, at)) points.set(at, toShares(sampled));
  if (newest !== undefined) {
    cache.extend(query, { changes, known, last, points, newest: newest.sample.at });
  }
  if (current === undefined) return { sampled: points, present: undefined };
  const before = newest?.progress ?? known?.progress;
  const [now] = iterateUserVaultPoints(changes, [current], before);
  return { sampled: points, present: now === undefined ? undefined : toShares(now) };
}

type VaultSamples = {
  readonly sampled: SharesByTime;
  /** The current state. */
  readonly present: SampledShares | undefined;
};

/** Hours per query and between two turns of the event loop. */
const HOURS_PER_BATCH = 500n;

type SamplesQuery = VaultQuery & { readonly known: FinalShares | undefined };

/** The last sample of each hour or day after the known ones. */
async function readSamples(
  history: HistoryReader,
  changes: readonly UserSharesChange[],
  { vault, range, frequency, known }: SamplesQuery,
) {
  const last = new Map<UnixSeconds, SampledPoint>();
  // the sample before a transfer has the rate from which its shares earn
  const first = bucketOf(changes[0]?.at ?? range.end, 'hour') - bucketSeconds.hour;
  const { to: end } = bucketsOf(range, 'hour');
  let newest: SampledPoint | undefined;
  let from = known?.range.end ?? toUnixSeconds(first);
  while (from < end) {
    const next = toUnixSeconds(from + HOURS_PER_BATCH * bucketSeconds.hour);
    const to = next < end ? next : end;
    const hours = await readHourlyVaultEarnings(history, vault, { from, to });
    const before = newest?.progress ?? known?.progress;
    for (const sampled of iterateUserVaultPoints(changes, hours, before)) {
      newest = sampled;
      last.set(bucketTime(bucketStart(sampled.sample.bucket, frequency), frequency), sampled);
    }
    from = next;
    await setImmediate();
  }
  return { last, newest };
}

const toShares = ({ sample, point }: SampledPoint): SampledShares => ({
  point: point?.(),
  isPriced: sample.priceSf !== null,
});

const isIn = ({ start, end }: TimeRange, at: UnixSeconds): boolean => at >= start && at < end;

/** The cached points, if they belong to the same changes and contain the start of the range. */
function findFinal(
  query: VaultQuery,
  changes: readonly UserSharesChange[],
): FinalShares | undefined {
  const found = query.cache.find(query);
  if (found === undefined || query.range.start < found.range.start) return undefined;
  return hasSameChanges(found, changes, endOf(query)) ? found : undefined;
}

type SampledPoint = {
  readonly sample: VaultEarningsRow;
  readonly progress: UserVaultProgress;
  readonly point: (() => UserVaultPoint) | undefined;
};
