import type { Address } from '../../base/encoding/address.ts';
import { floorSf, type Sf } from '../../base/numbers/scaled-fraction.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';
import type { LendingRules } from '../../protocol/klend/lending-rules.ts';
import { collateralWorth, exchangeRate } from '../../protocol/klend/math/exchange-rate.ts';
import {
  type AddressedAccount,
  type MarketSnapshot,
  type MarketSource,
  snapshotMarket,
} from '../lending/market-snapshot.ts';

/** A stored reserve, and the oracle price of a whole token in USD at the requested time. */
export type HistoricalReserve = AddressedAccount<Reserve> & { readonly oraclePrice: Sf };

export type HistoricalMarketSource = Omit<MarketSource, 'reserves' | 'prices'> & {
  readonly reserves: readonly HistoricalReserve[];
};

/**
 * A market at a historical time: older stored reserves are accrued to its slot, at the given
 * prices.
 */
export const snapshotHistoricalMarket = ({
  reserves,
  ...source
}: HistoricalMarketSource): MarketSnapshot =>
  snapshotMarket({ ...source, reserves: reserves.map(withOraclePrice), prices: noPriceFeeds });

/** Without feeds the view uses the stored price. */
export const noPriceFeeds = (_feed: Address): undefined => undefined;

export function withOraclePrice({
  address,
  fields,
  oraclePrice,
}: HistoricalReserve): AddressedAccount<Reserve> {
  const liquidity = { ...fields.liquidity, marketPriceSf: oraclePrice };
  return { address, fields: { ...fields, liquidity } };
}

/** The value of cTokens in the stored reserve, in smallest units of its token, rounded down. */
export const historicalCollateralWorth = (
  { fields }: Pick<HistoricalReserve, 'fields'>,
  collateral: bigint,
  rules: Pick<LendingRules, 'exchangeRate'>,
): bigint => floorSf(collateralWorth(exchangeRate(fields, rules), collateral));
