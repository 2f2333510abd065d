import { type Address, type ChainTime, type ClusterAccount, u64 } from '@tidegate/core/base';
import { datedPrice, oraclePrices, price } from '@tidegate/core/protocol/scope/layout';
import { decodeStakePool } from '@tidegate/core/protocol/spl';
import type { Oracle } from '../../genesis/accounts/oracle.ts';
import { stakeRateOf } from '../../genesis/accounts/stake-pools.ts';
import { historicalPrice, marketRate } from '../../genesis/seed/price-history.ts';
import { TOKEN_SYMBOLS } from '../../genesis/specs/token-specs.ts';

type PriceUpdaterOptions = {
  readonly oracle: Oracle;
  readonly seed: string;
  readonly until: ChainTime;
  /** Of the simulated history. */
  readonly days: number;
  /** The current account of a stake pool. */
  readonly pool: (address: Address) => ClusterAccount | undefined;
};

const SECONDS_PER_MINUTE = 60n;
const PRICE = { value: datedPrice.offsets.price + price.offsets.value };

/** Writes the feed's prices for a point in time. Updates only the entries in use. */
export function createPriceUpdater({ oracle, seed, until, days, pool }: PriceUpdaterOptions) {
  const valueAt = (index: number, minutes: bigint): bigint | undefined => {
    const point = oracle.usdPrices.get(index);
    if (point !== undefined) return historicalPrice({ ...point, seed, days }, minutes);
    const staked = oracle.marketRates.get(index);
    const account = staked && pool(staked.pool);
    if (staked === undefined || account === undefined) return undefined;
    const poolRate = stakeRateOf(decodeStakePool(account));
    return marketRate({ symbol: staked.symbol, poolRate, days }, minutes);
  };
  return (feed: ClusterAccount, time: ChainTime): ClusterAccount => {
    const data = feed.data.slice();
    const bytes = new DataView(data.buffer);
    const remaining = until.unix > time.unix ? until.unix - time.unix : 0n;
    for (const index of TOKEN_SYMBOLS.keys()) {
      const offset = oraclePrices.offsets.prices + index * datedPrice.size;
      const value = valueAt(index, remaining / SECONDS_PER_MINUTE);
      if (value !== undefined) u64.encode(bytes, offset + PRICE.value, value);
      u64.encode(bytes, offset + datedPrice.offsets.lastUpdatedSlot, time.slot);
      u64.encode(bytes, offset + datedPrice.offsets.unixTimestamp, time.unix);
    }
    return { ...feed, data };
  };
}
