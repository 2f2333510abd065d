import {
  type Address,
  formatError,
  type Logger,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { sampleTokensPerShare } from '@tidegate/core/views/series';
import { type SharePoint, trailingWindows, windowStart } from '@tidegate/core/views/vaults';
import { hasCode } from '../errors.ts';
import { MAX_DEPOSIT_AGE, readDepositRates } from '../history/queries/deposit-rates.ts';
import { readSamplesBegin } from '../history/queries/event-coverage.ts';
import type { HistoryReader } from '../history/queries/history-reader.ts';
import {
  readFirstSharePrices,
  readLatestVaultRows,
  readSharePricesAsOf,
  type VaultSharePriceRow,
} from '../history/queries/vault-series.ts';
import type { SeriesRow } from '../history/schema/series-tables.ts';

/** History of a vault that its current figures need. */
export type VaultHistorySummary = {
  readonly newest: SeriesRow<'vault'>;
  /** The first point with shares, and the points at the start of each trailing window; oldest first. */
  readonly anchors: readonly SharePoint[];
};

/** History summaries of all vaults of a cluster, in memory. */
export type VaultHistoryReader = {
  find(vault: Address): VaultHistorySummary | undefined;
  /** Vaults that have a history. */
  all(): ReadonlyMap<Address, VaultHistorySummary>;
  /** The time since which vaults are sampled; zero if nothing is missing. */
  sampledSince(): UnixSeconds;
  /** Increases with every change; zero until the first load. */
  version(): number;
};

type VaultHistoryCacheOptions = {
  readonly history: HistoryReader;
  readonly reader: Pick<ClusterReader, 'at' | 'vaults'>;
  readonly log: Logger;
};

/** Maximum age of the cache, in chain time. */
const MAX_AGE_SECONDS = 60n;

/** Refreshed in the background, so that requests for current figures do not wait for the database. */
export class VaultHistoryCache implements VaultHistoryReader {
  readonly #options: VaultHistoryCacheOptions;
  readonly #first = new Map<Address, SharePoint>();
  #summaries: ReadonlyMap<Address, VaultHistorySummary> = new Map();
  #sampledSince = toUnixSeconds(0n);
  #version = 0;
  #refreshedAt: UnixSeconds | undefined;
  #isLoaded = false;
  #isFailing = false;
  #running: Promise<void> | undefined;

  constructor(options: VaultHistoryCacheOptions) {
    this.#options = options;
  }

  find = (vault: Address): VaultHistorySummary | undefined => this.#summaries.get(vault);
  all = (): ReadonlyMap<Address, VaultHistorySummary> => this.#summaries;
  sampledSince = (): UnixSeconds => this.#sampledSince;
  version = (): number => this.#version;
  /** Whether the first refresh is over; a failed one is repeated later. */
  isLoaded = (): boolean => this.#isLoaded;

  /** Call it often. Refreshes a stale cache, once at a time. After a failure the old content stays until the next call. */
  async refreshIfStale(): Promise<void> {
    const { unix } = this.#options.reader.at();
    const isFresh = this.#refreshedAt !== undefined && unix - this.#refreshedAt < MAX_AGE_SECONDS;
    if (isFresh || unix === 0n) return;
    this.#running ??= this.refresh().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async refresh(): Promise<void> {
    const { history, reader, log } = this.#options;
    const now = reader.at().unix;
    this.#refreshedAt = now;
    try {
      const vaults = reader.vaults().map(({ address }) => address);
      await this.#readFirst(vaults);
      const anchors = await readAnchors(history, vaults, now);
      const rows = await readLatestVaultRows(history, vaults);
      this.#summaries = new Map(
        rows.map((newest) => {
          const first = this.#first.get(newest.subject);
          const points = [...(first ? [first] : []), ...(anchors.get(newest.subject) ?? [])];
          return [newest.subject, { newest, anchors: points.toSorted(byTime) }];
        }),
      );
      const since = await readSamplesBegin(history);
      this.#sampledSince = toUnixSeconds(
        since === undefined || since.slot === 0n ? 0n : since.unix,
      );
      this.#version += 1;
      this.#isFailing = false;
    } catch (error) {
      const isOutage = hasCode(error, 'HISTORY_UNAVAILABLE');
      if (!isOutage && !this.#isFailing) {
        log.warn({ reason: formatError(error) }, 'vault history was not refreshed');
      }
      this.#isFailing = !isOutage;
    }
    this.#isLoaded = true;
  }

  /** Read once per vault, because the first point never changes. */
  async #readFirst(vaults: readonly Address[]): Promise<void> {
    const unknown = vaults.filter((vault) => !this.#first.has(vault));
    if (unknown.length === 0) return;
    for (const row of await readFirstSharePrices(this.#options.history, unknown)) {
      this.#first.set(row.subject, sharePoint(row));
    }
  }
}

const byTime = (a: SharePoint, b: SharePoint): number => Number(a.at - b.at);

const sharePoint = (row: VaultSharePriceRow): SharePoint => ({
  at: row.at,
  tokensPerShare: sampleTokensPerShare(row),
});

/** The last point of each vault at or before the start of each window: a sample, or a deposit from before the first one. */
async function readAnchors(
  history: HistoryReader,
  vaults: readonly Address[],
  now: UnixSeconds,
): Promise<ReadonlyMap<Address, readonly SharePoint[]>> {
  const anchors = new Map<Address, SharePoint[]>();
  for (const window of trailingWindows) {
    const time = windowStart(window, now);
    const newest = new Map<Address, VaultSharePriceRow>();
    for (const resolution of ['hour', 'minute'] as const) {
      for (const row of await readSharePricesAsOf(history, vaults, { resolution, time })) {
        const other = newest.get(row.subject)?.at ?? toUnixSeconds(0n);
        if (row.at >= other) newest.set(row.subject, row);
      }
    }
    const points = new Map([...newest].map(([vault, row]) => [vault, sharePoint(row)]));
    const unknown = vaults.filter((vault) => !points.has(vault));
    const range = { from: toUnixSeconds(time - MAX_DEPOSIT_AGE), to: time };
    for (const { vault, at, tokensPerShare } of await readDepositRates(history, unknown, range)) {
      if (tokensPerShare !== null) points.set(vault, { at, tokensPerShare });
    }
    for (const [vault, point] of points) {
      const before = anchors.get(vault) ?? [];
      if (before.at(-1)?.at !== point.at) anchors.set(vault, [...before, point]);
    }
  }
  return anchors;
}
