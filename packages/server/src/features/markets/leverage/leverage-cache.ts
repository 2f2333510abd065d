import type { Address, Logger, UnixSeconds } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { type LeverageRow, viewLeverage } from '@tidegate/core/views/lending';
import type { MarketCache } from '../../pricing/market-cache.ts';

/** The leverage table of a market, as of a time. */
type Table = { readonly rows: readonly LeverageRow[]; readonly unix: UnixSeconds };

type Kept = Table & {
  readonly version: number;
  readonly leftOut: number;
  /** Epoch ms before which it is not made again. */
  readonly restUntil: number;
};

export type LeverageCache = (reader: ClusterReader, market: Address) => Table | undefined;

/**
 * Adding up a market's loans takes a while where there are many (some 80,000 a second), and nothing else is
 * answered meanwhile. So a table that took long is kept for a while: one part work, so many parts rest.
 */
const REST_PER_WORK = 50;

type Outside = {
  readonly clock: () => number;
  readonly log: Logger;
  readonly marketOf: MarketCache;
};

export function createLeverageCache({ clock, log, marketOf }: Outside): LeverageCache {
  const made = new WeakMap<ClusterReader, Map<Address, Kept>>();

  function make(reader: ClusterReader, address: Address, old: Kept | undefined): Kept | undefined {
    const started = clock();
    const market = marketOf(reader, address);
    if (market === undefined) return undefined;
    const { rows, leftOut } = viewLeverage(reader.obligationsIn(address), market);
    if (leftOut > 0 && leftOut !== old?.leftOut) {
      log.warn({ market: address, leftOut }, 'loans left out of the leverage figures');
    }
    const ended = clock();
    const restUntil = ended + (ended - started) * REST_PER_WORK;
    return { rows, unix: market.at.unix, version: reader.version(), leftOut, restUntil };
  }

  return (reader, address) => {
    const tables = made.get(reader) ?? new Map<Address, Kept>();
    made.set(reader, tables);
    const old = tables.get(address);
    const isGood =
      old !== undefined && (old.version === reader.version() || clock() < old.restUntil);
    const table = isGood ? old : make(reader, address, old);
    if (table === undefined) tables.delete(address);
    else tables.set(address, table);
    return table;
  };
}
