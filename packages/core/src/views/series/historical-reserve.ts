import { CURRENT_RULES } from '../../protocol/klend/lending-rules.ts';
import { type AccrualInput, NO_ACCRUAL_TERMS } from '../../protocol/klend/math/accrual.ts';
import { type ReserveSnapshot, snapshotReserve } from '../lending/reserve-snapshot.ts';
import { type HistoricalReserve, noPriceFeeds, withOraclePrice } from './historical-market.ts';

/** A reserve at the slot in which it was stored and accrued. */
export function snapshotHistoricalReserve(reserve: HistoricalReserve): ReserveSnapshot {
  const { slot } = reserve.fields.lastUpdate;
  return snapshotHistoricalReserveAt(reserve, { slot, ...NO_ACCRUAL_TERMS });
}

/** Accrues the reserve to a later slot. */
export function snapshotHistoricalReserveAt(
  reserve: HistoricalReserve,
  input: AccrualInput,
): ReserveSnapshot {
  return snapshotReserve(withOraclePrice(reserve), {
    ...input,
    prices: noPriceFeeds,
    rules: CURRENT_RULES,
  });
}
