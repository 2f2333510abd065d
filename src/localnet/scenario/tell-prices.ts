import type { ClusterAccount } from '../../base/cluster-account.ts';
import { u64 } from '../../base/layout.ts';
import type { ChainTime } from '../../base/time.ts';
import { datedPrice, oraclePrices, price } from '../../protocol/scope/layout/oracle-prices.ts';
import type { Oracle } from '../genesis/oracle.ts';
import { pastPrice } from '../genesis/price-year.ts';
import { TOKEN_SYMBOLS } from '../genesis/tokens.ts';

type Course = { readonly oracle: Oracle; readonly seed: string; readonly until: ChainTime };

const SECONDS_PER_MINUTE = 60n;
const PRICE = { value: datedPrice.offsets.price + price.offsets.value };

/** The feed as it is at some time before the end. Only the entries that are in use are written. */
export function createPriceTeller({ oracle, seed, until }: Course) {
  return (feed: ClusterAccount, time: ChainTime): ClusterAccount => {
    const data = feed.data.slice();
    const bytes = new DataView(data.buffer);
    const left = until.unix > time.unix ? until.unix - time.unix : 0n;
    for (const place of TOKEN_SYMBOLS.keys()) {
      const offset = oraclePrices.offsets.prices + place * datedPrice.size;
      const point = oracle.priced.get(place);
      const value = point && pastPrice({ ...point, seed }, left / SECONDS_PER_MINUTE);
      if (value !== undefined) u64.encode(bytes, offset + PRICE.value, value);
      u64.encode(bytes, offset + datedPrice.offsets.lastUpdatedSlot, time.slot);
      u64.encode(bytes, offset + datedPrice.offsets.unixTimestamp, time.unix);
    }
    return { ...feed, data };
  };
}
