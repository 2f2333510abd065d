import type { Address, Logger, UnixSeconds } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { type LeverageRow, viewLeverage } from '@tidegate/core/views/lending';
import type { MarketCache } from '../../pricing/market-cache.ts';

/** Leverage rows of a market at a time. */
type LeverageTable = { readonly rows: readonly LeverageRow[]; readonly unix: UnixSeconds };

type CachedTable = LeverageTable & {
  readonly version: number;
  readonly omittedLoans: number;
  /** Epoch ms before which the table is not recomputed. */
  readonly freshUntil: number;
};

export type LeverageCache = (reader: ClusterReader, market: Address) => LeverageTable | undefined;

/**
 * Summing up the loans of a large market blocks the event loop (about 80,000 loans per second). A table is therefore
 * reused for this many times its computation time.
 */
const REUSE_FACTOR = 50;

type LeverageCacheOptions = {
  readonly clock: () => number;
  readonly log: Logger;
  readonly marketOf: MarketCache;
};

export function createLeverageCache(options: LeverageCacheOptions): LeverageCache {
  const { clock, log, marketOf } = options;
  const cached = new WeakMap<ClusterReader, Map<Address, CachedTable>>();

  function compute(
    reader: ClusterReader,
    address: Address,
    previous: CachedTable | undefined,
  ): CachedTable | undefined {
    const startedAt = clock();
    const market = marketOf(reader, address);
    if (market === undefined) return undefined;
    const { rows, omitted: omittedLoans } = viewLeverage(reader.obligationsIn(address), market);
    if (omittedLoans > 0 && omittedLoans !== previous?.omittedLoans) {
      log.warn({ market: address, omittedLoans }, 'leverage metrics omit loans');
    }
    const endedAt = clock();
    const freshUntil = endedAt + (endedAt - startedAt) * REUSE_FACTOR;
    return { rows, unix: market.at.unix, version: reader.version(), omittedLoans, freshUntil };
  }

  return (reader, address) => {
    const tables = cached.get(reader) ?? new Map<Address, CachedTable>();
    cached.set(reader, tables);
    const previous = tables.get(address);
    const isFresh =
      previous !== undefined &&
      (previous.version === reader.version() || clock() < previous.freshUntil);
    const table = isFresh ? previous : compute(reader, address, previous);
    if (table === undefined) tables.delete(address);
    else tables.set(address, table);
    return table;
  };
}
