import type { Address } from '../../base/encoding/address.ts';
import { floorSf, type Sf } from '../../base/numbers/scaled-fraction.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';
import { collateralWorth, exchangeRate } from '../../protocol/klend/math/exchange-rate.ts';
import {
  type MarketNow,
  type MarketSource,
  marketNow,
  type Placed,
} from '../lending/market-snapshot.ts';

/** A reserve as it was kept, and the oracle's USD for a whole token at the time that is looked at. */
export type PastReserve = Placed<Reserve> & { readonly oraclePrice: Sf };

export type PastMarketSource = Omit<MarketSource, 'reserves' | 'prices'> & {
  readonly reserves: readonly PastReserve[];
};

/** A market at an earlier time: reserves that were kept before it are brought to its slot, at the prices given. */
export const pastMarket = ({ reserves, ...source }: PastMarketSource): MarketNow =>
  marketNow({ ...source, reserves: reserves.map(atOraclePrice), prices: noFeeds });

/** The present's view takes the stored price where no feed has one. */
export const noFeeds = (_feed: Address): undefined => undefined;

export function atOraclePrice({ address, fields, oraclePrice }: PastReserve): Placed<Reserve> {
  const liquidity = { ...fields.liquidity, marketPriceSf: oraclePrice };
  return { address, fields: { ...fields, liquidity } };
}

/** What cTokens were worth as the reserve was kept, in its token's smallest units, rounded down. */
export const pastCollateralWorth = (
  { fields }: Pick<PastReserve, 'fields'>,
  collateral: bigint,
): bigint => floorSf(collateralWorth(exchangeRate(fields), collateral));
