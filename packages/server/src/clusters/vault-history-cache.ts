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
import type { HistoryReader } from '../history/queries/history-reader.ts';
import {
  readFirstSharePrices,
  readLatestVaultRows,
  readSharePricesAsOf,
  type VaultSharePriceRow,
} from '../history/queries/vault-series.ts';
import type { SeriesRow } from '../history/schema/series-tables.ts';

/** What of a vault's past its present figures need. */
export type VaultHistorySummary = {
  readonly newest: SeriesRow<'vault'>;
  /** Where the windows of trailing rates start, and the first point with shares; they ascend. */
  readonly anchors: readonly SharePoint[];
};

/** The same of all vaults of a cluster, in memory. */
export type VaultHistoryReader = {
  find(vault: Address): VaultHistorySummary | undefined;
  /** Those that there is anything of. */
  all(): ReadonlyMap<Address, VaultHistorySummary>;
  /** Goes up with every change; zero until it is loaded. */
  version(): number;
};

type Parts = {
  readonly history: HistoryReader;
  readonly reader: Pick<ClusterReader, 'at' | 'vaults'>;
  readonly log: Logger;
};

/** How old what is kept may get, by the clock of the chain. */
const RENEWED_AFTER_SECONDS = 60n;

/** Renewed outside of requests, so that those who ask for the present wait for no database. */
export class VaultHistoryCache implements VaultHistoryReader {
  readonly #parts: Parts;
  readonly #first = new Map<Address, SharePoint>();
  #pasts: ReadonlyMap<Address, VaultHistorySummary> = new Map();
  #version = 0;
  #renewedAt: UnixSeconds | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  find = (vault: Address): VaultHistorySummary | undefined => this.#pasts.get(vault);
  all = (): ReadonlyMap<Address, VaultHistorySummary> => this.#pasts;
  version = (): number => this.#version;

  /** To be called often: renews what has become old, and never twice at once. After a failure what there is stays until the next time. */
  async refreshIfStale(): Promise<void> {
    const { unix } = this.#parts.reader.at();
    const isFresh = this.#renewedAt !== undefined && unix - this.#renewedAt < RENEWED_AFTER_SECONDS;
    if (isFresh || unix === 0n) return;
    this.#running ??= this.refresh().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async refresh(): Promise<void> {
    const { history, reader, log } = this.#parts;
    const now = reader.at().unix;
    this.#renewedAt = now;
    try {
      const vaults = reader.vaults().map(({ address }) => address);
      await this.#readFirst(vaults);
      const anchors = await readAnchors(history, vaults, now);
      const rows = await readLatestVaultRows(history, vaults);
      this.#pasts = new Map(
        rows.map((newest) => {
          const first = this.#first.get(newest.subject);
          const points = [...(first ? [first] : []), ...(anchors.get(newest.subject) ?? [])];
          return [newest.subject, { newest, anchors: points }];
        }),
      );
      this.#version += 1;
    } catch (error) {
      log.warn({ reason: formatError(error) }, 'the past of vaults was not read');
    }
  }

  /** Once for each: what was first stays it. */
  async #readFirst(vaults: readonly Address[]): Promise<void> {
    const unknown = vaults.filter((vault) => !this.#first.has(vault));
    if (unknown.length === 0) return;
    for (const row of await readFirstSharePrices(this.#parts.history, unknown)) {
      this.#first.set(row.subject, sharePoint(row));
    }
  }
}

const sharePoint = (row: VaultSharePriceRow): SharePoint => ({
  at: row.at,
  tokensPerShare: sampleTokensPerShare(row),
});

/** The last point that is not after the start of each window, of every vault that has one. */
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
    for (const [vault, row] of newest) {
      const points = anchors.get(vault) ?? [];
      if (points.at(-1)?.at !== row.at) points.push(sharePoint(row));
      anchors.set(vault, points);
    }
  }
  return anchors;
}
