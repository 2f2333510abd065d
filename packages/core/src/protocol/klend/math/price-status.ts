import {
  mulSfByInt,
  mulSfByRatio,
  ONE_SF,
  type Sf,
} from '../../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import type { ReserveView } from '../layout/reserve.ts';

/** A price of an oracle: USD per whole token and its time. */
export type OraclePrice = { readonly price: Sf; readonly unix: UnixSeconds };

/** Bits of `lastUpdate.priceStatus`. */
export const PRICE_LOADED = 1;
export const PRICE_AGE_CHECKED = 2;
export const TWAP_CHECKED = 4;
export const TWAP_AGE_CHECKED = 8;
export const HEURISTIC_CHECKED = 16;
export const PRICE_USAGE_ALLOWED = 32;

/** The checks for loans and for withdrawals with debt. */
export const ALL_PRICE_CHECKS = 63;
/** The checks for a liquidation. */
export const LIQUIDATION_PRICE_CHECKS = PRICE_LOADED | PRICE_AGE_CHECKED | PRICE_USAGE_ALLOWED;

type TokenInfo = ReserveView['config']['tokenInfo'];

export type PriceReading = {
  readonly price: OraclePrice;
  /** Required if `maxTwapDivergenceBps` is set. */
  readonly twap: OraclePrice | undefined;
  readonly now: UnixSeconds;
};

/** The passed checks of a newly loaded price. */
export function priceStatus(tokenInfo: TokenInfo, { price, twap, now }: PriceReading): number {
  const isFresh = age(price.unix, now) <= tokenInfo.maxAgePriceSeconds;
  return (
    PRICE_LOADED |
    (isFresh ? PRICE_AGE_CHECKED : 0) |
    twapStatus(tokenInfo, { price, twap, now }) |
    (withinBounds(tokenInfo.heuristic, price.price) ? HEURISTIC_CHECKED : 0) |
    (tokenInfo.blockPriceUsage === 0 ? PRICE_USAGE_ALLOWED : 0)
  );
}

/** Whether a refresh reloads the price: after a part of its maximum age. */
export function isPriceReloadDue(
  reserve: ReserveView,
  triggerPct: number,
  now: UnixSeconds,
): boolean {
  const maxAge = reserve.config.tokenInfo.maxAgePriceSeconds;
  const trigger = (maxAge * BigInt(triggerPct)) / 100n;
  return age(reserve.liquidity.marketPriceLastUpdatedTs, now) >= trigger;
}

/** Whether the stored price is still recent enough without a reload. */
export function isStoredPriceFresh(reserve: ReserveView, now: UnixSeconds): boolean {
  const { marketPriceLastUpdatedTs } = reserve.liquidity;
  return age(marketPriceLastUpdatedTs, now) < reserve.config.tokenInfo.maxAgePriceSeconds;
}

function twapStatus(tokenInfo: TokenInfo, { price, twap, now }: PriceReading): number {
  if (tokenInfo.maxTwapDivergenceBps === 0n) return TWAP_CHECKED | TWAP_AGE_CHECKED;
  if (twap === undefined) return 0;
  const isFresh = age(twap.unix, now) <= tokenInfo.maxAgeTwapSeconds;
  const difference = price.price > twap.price ? price.price - twap.price : twap.price - price.price;
  const isClose = difference * 10_000n < price.price * tokenInfo.maxTwapDivergenceBps;
  return (isFresh ? TWAP_AGE_CHECKED : 0) | (isClose && twap.price !== 0n ? TWAP_CHECKED : 0);
}

/** A bound of 0 is ignored. Bounds are rounded down to 60 bits. */
function withinBounds(heuristic: TokenInfo['heuristic'], price: Sf): boolean {
  const { lower, upper, exp } = heuristic;
  const bound = (value: bigint): Sf => mulSfByRatio(mulSfByInt(ONE_SF, value), 1n, 10n ** exp);
  if (lower > 0n && price < bound(lower)) return false;
  return upper === 0n || price <= bound(upper);
}

const age = (at: UnixSeconds, now: UnixSeconds): bigint => (now > at ? now - at : 0n);
