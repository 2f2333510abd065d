import type { Address } from '../../base/encoding/address.ts';
import { floorSf, type Sf } from '../../base/numbers/scaled-fraction.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';
import { collateralWorth, exchangeRate } from '../../protocol/klend/math/exchange-rate.ts';
import {
  type MarketSnapshot,
  type MarketSource,
  type Placed,
  snapshotMarket,
} from '../lending/market-snapshot.ts';

/** A reserve as it was kept, and the oracle's USD for a whole token at the time that is looked at. */
export type HistoricalReserve = Placed<Reserve> & { readonly oraclePrice: Sf };

export type HistoricalMarketSource = Omit<MarketSource, 'reserves' | 'prices'> & {
  readonly reserves: readonly HistoricalReserve[];
};

/** A market at an earlier time: reserves that were kept before it are brought to its slot, at the prices given. */
export const snapshotHistoricalMarket = ({
  reserves,
  ...source
}: HistoricalMarketSource): MarketSnapshot =>
  snapshotMarket({ ...source, reserves: reserves.map(withOraclePrice), prices: noPriceFeeds });

/** The present's view takes the stored price where no feed has one. */
export const noPriceFeeds = (_feed: Address): undefined => undefined;

export function withOraclePrice({
  address,
  fields,
  oraclePrice,
}: HistoricalReserve): Placed<Reserve> {
  const liquidity = { ...fields.liquidity, marketPriceSf: oraclePrice };
  return { address, fields: { ...fields, liquidity } };
}

/** What cTokens were worth as the reserve was kept, in its token's smallest units, rounded down. */
export const historicalCollateralWorth = (
  { fields }: Pick<HistoricalReserve, 'fields'>,
  collateral: bigint,
): bigint => floorSf(collateralWorth(exchangeRate(fields), collateral));
