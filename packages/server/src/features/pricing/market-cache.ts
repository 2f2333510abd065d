import type { Address } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { type MarketSnapshot, snapshotMarket } from '@tidegate/core/views/lending';
import { oncePerApp } from '../feature-context.ts';
import { unreadableAccounts } from './data-notes.ts';

/** Market with accrued interest and prices; undefined if there is none. Do not hold it across an await. */
export type MarketCache = (reader: ClusterReader, market: Address) => MarketSnapshot | undefined;

export const marketCache = oncePerApp(createMarketCache);

/** Computes each market once per version of the cluster state. */
export function createMarketCache(): MarketCache {
  const cached = new WeakMap<
    ClusterReader,
    { version: number; markets: Map<Address, MarketSnapshot> }
  >();
  return (reader, address) => {
    const version = reader.version();
    let entry = cached.get(reader);
    if (entry?.version !== version) {
      entry = { version, markets: new Map() };
      cached.set(reader, entry);
    }
    const market = entry.markets.get(address) ?? readMarket(reader, address);
    if (market !== undefined) entry.markets.set(address, market);
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
