import { CURRENT_RULES } from '../../protocol/klend/lending-rules.ts';
import {
  type ReserveSnapshot,
  type ReserveSnapshotInput,
  snapshotReserve,
} from '../lending/reserve-snapshot.ts';
import { type HistoricalReserve, noPriceFeeds, withOraclePrice } from './historical-market.ts';

/** A reserve at the slot that it was kept in, to which its interest had been brought. */
export function snapshotHistoricalReserve(reserve: HistoricalReserve): ReserveSnapshot {
  const { slot } = reserve.fields.lastUpdate;
  return snapshotHistoricalReserveAt(reserve, { slot, referralFeeBps: 0 });
}

/** The same, brought to a later slot. */
export function snapshotHistoricalReserveAt(
  reserve: HistoricalReserve,
  terms: Pick<ReserveSnapshotInput, 'slot' | 'referralFeeBps'>,
): ReserveSnapshot {
  return snapshotReserve(withOraclePrice(reserve), {
    ...terms,
    prices: noPriceFeeds,
    rules: CURRENT_RULES,
  });
}
