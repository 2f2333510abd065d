import type { Address, Logger, UnixSeconds } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import {
  type LeverageRow,
  type Omission,
  type PriceAge,
  viewLeverage,
} from '@tidegate/core/views/lending';
import { rarePerVersion } from '../../../caching/per-version.ts';
import { marketPriceAges, unavailableReserves } from '../../../support/pricing/data-notes.ts';
import type { MarketCache } from '../../../support/pricing/market-cache.ts';

/** Leverage rows of a market at a time. */
type LeverageTable = {
  readonly rows: readonly LeverageRow[];
  readonly unix: UnixSeconds;
  /** Reserves that are unavailable, and the first loans that cannot be evaluated. */
  readonly omissions: readonly Omission[];
  readonly omissionCount: number;
  readonly omittedLoans: number;
  readonly priceAges: readonly PriceAge[];
};

export type LeverageCache = (reader: ClusterReader, market: Address) => LeverageTable | undefined;

type LeverageCacheOptions = {
  readonly clock: () => number;
  readonly log: Logger;
  readonly marketOf: MarketCache;
};

export function createLeverageCache({ clock, log, marketOf }: LeverageCacheOptions): LeverageCache {
  const tableOf = rarePerVersion<LeverageTable | undefined>(clock);

  function compute(
    reader: ClusterReader,
    address: Address,
    previous: LeverageTable | undefined,
  ): LeverageTable | undefined {
    const market = marketOf(reader, address);
    if (market === undefined) return undefined;
    const table = viewLeverage(reader.obligationsIn(address), market);
    const { rows, omitted: omittedLoans } = table;
    if (omittedLoans > 0 && omittedLoans !== previous?.omittedLoans) {
      log.warn({ market: address, omittedLoans }, 'leverage metrics omit loans');
    }
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
    };
  }

  return (reader, address) =>
    tableOf({
      of: [address, reader],
      version: reader.version(),
      compute: (previous) => compute(reader, address, previous),
    });
}
