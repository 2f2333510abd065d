import type { Address } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { type MarketSnapshot, snapshotMarket } from '@tidegate/core/views/lending';
import { perVersion } from '../../caching/per-version.ts';
import { oncePerApp } from '../../operations/operation-context.ts';
import { unreadableAccounts } from './data-notes.ts';

/** Market with accrued interest and prices; undefined if there is none. Do not hold it across an await. */
export type MarketCache = (reader: ClusterReader, market: Address) => MarketSnapshot | undefined;

export const marketCache = oncePerApp(createMarketCache);

/** Computes each market once per version of the cluster state. */
export function createMarketCache(): MarketCache {
  const marketsOf = perVersion(
    (reader: ClusterReader) => reader.version(),
    () => new Map<Address, MarketSnapshot>(),
  );
  return (reader, address) => {
    const markets = marketsOf(reader);
    const market = markets.get(address) ?? readMarket(reader, address);
    if (market !== undefined) markets.set(address, market);
    return market;
  };
}

function readMarket(reader: ClusterReader, address: Address): MarketSnapshot | undefined {
  const market = reader.market(address);
  if (market === undefined) return undefined;
  return snapshotMarket({
    market,
    reserves: reader.reservesOf(address),
    unreadable: unreadableAccounts(reader, 'reserve', address),
    prices: (feed) => reader.prices(feed),
    at: reader.at(),
    slotMs: reader.slotMs(),
    rules: reader.rulesAt(reader.at().slot).lending,
  });
}
