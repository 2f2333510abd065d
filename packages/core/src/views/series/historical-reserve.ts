import { CURRENT_RULES } from '../../protocol/klend/lending-rules.ts';
import {
  type ReserveSnapshot,
  type ReserveSnapshotInput,
  snapshotReserve,
} from '../lending/reserve-snapshot.ts';
import { type HistoricalReserve, noPriceFeeds, withOraclePrice } from './historical-market.ts';

/** A reserve at the slot in which it was stored and accrued. */
export function snapshotHistoricalReserve(reserve: HistoricalReserve): ReserveSnapshot {
  const { slot } = reserve.fields.lastUpdate;
  return snapshotHistoricalReserveAt(reserve, { slot, referralFeeBps: 0 });
}

/** Accrues the reserve to a later slot. */
export function snapshotHistoricalReserveAt(
  reserve: HistoricalReserve,
  input: Pick<ReserveSnapshotInput, 'slot' | 'referralFeeBps'>,
): ReserveSnapshot {
  return snapshotReserve(withOraclePrice(reserve), {
    ...input,
    prices: noPriceFeeds,
    rules: CURRENT_RULES,
  });
}
