import type { Address, TimeRange, UnixSeconds } from '@tidegate/core/base';
import type {
  UserSharesChange,
  UserVaultPoint,
  UserVaultProgress,
} from '@tidegate/core/views/series';
import { BoundedMap } from '../../caching/bounded-map.ts';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import { oncePerApp } from '../../operations/operation-context.ts';

/** A sampled vault at a time; undefined without shares. `isPriced`: whether the value in USD is known. */
export type SampledShares = {
  readonly point: UserVaultPoint | undefined;
  readonly isPriced: boolean;
};

/** The final part of a position's history. */
export type FinalShares = {
  /** Times of the points; the start is that of the request that computed them. */
  readonly range: TimeRange;
  readonly points: ReadonlyMap<UnixSeconds, SampledShares>;
  /** All changes up to the last sample. */
  readonly changes: readonly UserSharesChange[];
  /** The position after the last sample, from which later points continue. */
  readonly progress: UserVaultProgress;
};

type ComputedShares = {
  readonly changes: readonly UserSharesChange[];
  readonly known: FinalShares | undefined;
  /** The last sample of each hour or day, ascending. */
  readonly last: ReadonlyMap<UnixSeconds, { readonly progress: UserVaultProgress }>;
  /** In the range. */
  readonly points: ReadonlyMap<UnixSeconds, SampledShares>;
  /** The time of the newest sample. */
  readonly newest: UnixSeconds;
};

type CachedPosition = {
  /** The same addresses may exist in several clusters. */
  readonly env: ClusterName;
  readonly wallet: Address;
  readonly vault: Address;
  readonly frequency: 'hour' | 'day';
};

type Entry = { readonly epoch: number; readonly shares: FinalShares };

const MAX_BYTES = 32 * 1024 * 1024;
const ENTRY_BYTES = 1_024;
/** An estimate, not measured: eleven fractions of large integers. */
const POINT_BYTES = 4_096;
const CHANGE_BYTES = 256;
const HOUR_MS = 3_600_000;
/** An hour is final if it ended this long before the newest sample. */
const SETTLING_SECONDS = 600n;

export const shareHistoryCache = oncePerApp(({ clock, metrics }) => {
  const cache = new ShareHistoryCache(clock);
  const description = 'Bytes of cached position histories.';
  metrics.gauge('tidegate_cached_share_history_bytes', description, () => cache.bytes);
  const entries = 'Cached position histories.';
  metrics.gauge('tidegate_cached_share_histories', entries, () => cache.size);
  return cache;
});

/**
 * LRU cache of the points that can no longer change, bounded in bytes. Its user compares the changes of the position, so
 * that late and rolled back events count. Entries expire after an hour, because another process can import history.
 */
export class ShareHistoryCache {
  readonly #entries: BoundedMap<string, Entry>;
  readonly #clock: () => number;

  /** `clock` in epoch milliseconds. */
  constructor(clock: () => number, maxBytes: number = MAX_BYTES) {
    this.#clock = clock;
    this.#entries = new BoundedMap({ max: maxBytes, weightOf: ({ shares }) => bytesOf(shares) });
  }

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#entries.weight;
  }

  find(position: CachedPosition): FinalShares | undefined {
    const key = keyOf(position);
    const isCurrent = this.#entries.get(key)?.epoch === this.#epoch();
    return isCurrent ? this.#entries.use(key)?.shares : undefined;
  }

  /** Stores the computed points that can no longer change, after those that were known. */
  extend(query: CachedPosition & { readonly range: TimeRange }, computed: ComputedShares): void {
    const { changes, known, last, points, newest } = computed;
    const { range } = query;
    const end = [...last].findLast(([at]) => at + SETTLING_SECONDS <= newest && at < range.end);
    // points between the known ones and the range were not computed
    if (end === undefined || (known !== undefined && range.start > known.range.end)) return;
    const [label, { progress }] = end;
    const shares: FinalShares = {
      range: { start: known?.range.start ?? range.start, end: label },
      points: new Map([...(known?.points ?? []), ...points].filter(([at]) => at <= label)),
      changes: changes.filter(({ slot }) => slot <= progress.slot),
      progress,
    };
    this.#entries.set(keyOf(query), { epoch: this.#epoch(), shares });
  }

  #epoch(): number {
    return Math.floor(this.#clock() / HOUR_MS);
  }
}

const bytesOf = ({ points, changes }: FinalShares): number =>
  ENTRY_BYTES + points.size * POINT_BYTES + changes.length * CHANGE_BYTES;

const keyOf = ({ env, wallet, vault, frequency }: CachedPosition): string =>
  `${env} ${wallet} ${vault} ${frequency}`;

/** Whether all changes up to the end of the final part are the same. `to` limits the new changes. */
export function hasSameChanges(
  { changes, progress }: FinalShares,
  newChanges: readonly UserSharesChange[],
  to: UnixSeconds,
): boolean {
  const before = changes.filter(({ at }) => at < to);
  const after = newChanges.filter(({ slot }) => slot <= progress.slot);
  return (
    before.length === after.length &&
    before.every((change, index) => isSameChange(change, after[index]))
  );
}

function isSameChange(a: UserSharesChange, b: UserSharesChange | undefined): boolean {
  const [rate, other] = [a.tokensPerShare, b?.tokensPerShare];
  return (
    a.slot === b?.slot &&
    a.at === b.at &&
    a.shares === b.shares &&
    rate?.numerator === other?.numerator &&
    rate?.denominator === other?.denominator
  );
}
