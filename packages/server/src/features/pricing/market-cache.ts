import type { Address } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { type MarketSnapshot, snapshotMarket } from '@tidegate/core/views/lending';

/** A market of a cluster, accrued and priced; undefined where there is none. Use it at once. */
export type MarketCache = (reader: ClusterReader, market: Address) => MarketSnapshot | undefined;

/** Each market is made once per version of its cluster's state, whoever asks. */
export function createMarketCache(): MarketCache {
  const made = new WeakMap<
    ClusterReader,
    { version: number; markets: Map<Address, MarketSnapshot> }
  >();
  return (reader, address) => {
    const version = reader.version();
    let kept = made.get(reader);
    if (kept?.version !== version) {
      kept = { version, markets: new Map() };
      made.set(reader, kept);
    }
    const market = kept.markets.get(address) ?? readMarket(reader, address);
    if (market !== undefined) kept.markets.set(address, market);
    return market;
  };
}

function readMarket(reader: ClusterReader, address: Address): MarketSnapshot | undefined {
  const market = reader.market(address);
  if (market === undefined) return undefined;
  return snapshotMarket({
    market,
    reserves: reader.reservesOf(address),
    prices: (feed) => reader.prices(feed),
    at: reader.at(),
    slotMs: reader.slotMs(),
  });
}
