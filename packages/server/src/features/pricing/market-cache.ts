import type { Address } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { type MarketNow, marketNow } from '@tidegate/core/views/lending';

/** A market of a cluster, accrued and priced; undefined where there is none. Use it at once. */
export type MarketsNow = (reader: ClusterReader, market: Address) => MarketNow | undefined;

/** Each market is made once per version of its cluster's state, whoever asks. */
export function createMarketsNow(): MarketsNow {
  const made = new WeakMap<ClusterReader, { version: number; markets: Map<Address, MarketNow> }>();
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

function readMarket(reader: ClusterReader, address: Address): MarketNow | undefined {
  const market = reader.market(address);
  if (market === undefined) return undefined;
  return marketNow({
    market,
    reserves: reader.reservesOf(address),
    prices: (feed) => reader.prices(feed),
    at: reader.at(),
    slotMs: reader.slotMs(),
  });
}
