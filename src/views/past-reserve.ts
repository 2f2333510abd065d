import { CURRENT_RULES } from '../protocol/klend/rules.ts';
import { atOraclePrice, noFeeds, type PastReserve } from './past-market.ts';
import { type ReserveNow, reserveNow } from './reserve.ts';

/** A reserve at the slot that it was kept in, to which its interest had been brought. */
export function pastReserveNow(reserve: PastReserve): ReserveNow {
  const { slot } = reserve.fields.lastUpdate;
  const terms = { slot, referralFeeBps: 0, prices: noFeeds, rules: CURRENT_RULES };
  return reserveNow(atOraclePrice(reserve), terms);
}
