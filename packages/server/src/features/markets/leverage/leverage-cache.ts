import type { Address, Logger, UnixSeconds } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import {
  type LeverageRow,
  type Omission,
  type PriceAge,
  viewLeverage,
} from '@tidegate/core/views/lending';
import { marketPriceAges, unavailableReserves } from '../../pricing/data-notes.ts';
import type { MarketCache } from '../../pricing/market-cache.ts';

/** Leverage rows of a market at a time. */
type LeverageTable = {
  readonly rows: readonly LeverageRow[];
  readonly unix: UnixSeconds;
  /** Reserves that are unavailable, and the first loans that cannot be evaluated. */
  readonly omissions: readonly Omission[];
  readonly omissionCount: number;
  readonly priceAges: readonly PriceAge[];
};

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
    const table = viewLeverage(reader.obligationsIn(address), market);
    const { rows, omitted: omittedLoans } = table;
    if (omittedLoans > 0 && omittedLoans !== previous?.omittedLoans) {
      log.warn({ market: address, omittedLoans }, 'leverage metrics omit loans');
    }
    const endedAt = clock();
    const freshUntil = endedAt + (endedAt - startedAt) * REUSE_FACTOR;
    const used = rows.flatMap(({ depositReserve, borrowReserve }) => [
      depositReserve,
      borrowReserve,
    ]);
    return {
      rows,
      unix: market.at.unix,
      omissions: [...unavailableReserves(market), ...table.omissions],
      omissionCount: market.unavailable.size + omittedLoans,
      omittedLoans,
      priceAges: marketPriceAges(market, used),
      version: reader.version(),
      freshUntil,
    };
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
