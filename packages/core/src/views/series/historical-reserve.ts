import { CURRENT_RULES } from '../../protocol/klend/lending-rules.ts';
import { type ReserveNow, type ReserveNowTerms, reserveNow } from '../lending/reserve-snapshot.ts';
import { atOraclePrice, noFeeds, type PastReserve } from './historical-market.ts';

/** A reserve at the slot that it was kept in, to which its interest had been brought. */
export function pastReserveNow(reserve: PastReserve): ReserveNow {
  const { slot } = reserve.fields.lastUpdate;
  return pastReserveAt(reserve, { slot, referralFeeBps: 0 });
}

/** The same, brought to a later slot. */
export function pastReserveAt(
  reserve: PastReserve,
  terms: Pick<ReserveNowTerms, 'slot' | 'referralFeeBps'>,
): ReserveNow {
  return reserveNow(atOraclePrice(reserve), { ...terms, prices: noFeeds, rules: CURRENT_RULES });
}
