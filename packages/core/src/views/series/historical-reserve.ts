import { type ChainTime, toSlot, toUnixSeconds } from '../../base/time.ts';
import type { LendingRules } from '../../protocol/klend/lending-rules.ts';
import { type AccrualInput, NO_ACCRUAL_TERMS } from '../../protocol/klend/math/accrual/accrual.ts';
import { latestTime } from '../../protocol/klend/math/accrual/accrual-duration.ts';
import { type ReserveSnapshot, snapshotReserve } from '../lending/reserve-snapshot.ts';
import { type HistoricalReserve, noPriceFeeds, withOraclePrice } from './historical-market.ts';

const NO_TIME: ChainTime = { slot: toSlot(0n), unix: toUnixSeconds(0n) };

/** A reserve at the slot in which it was stored and accrued. */
export function snapshotHistoricalReserve(
  reserve: HistoricalReserve,
  rules: LendingRules,
): ReserveSnapshot {
  const time = latestTime(NO_TIME, [reserve.fields.lastUpdate]);
  return snapshotHistoricalReserveAt(reserve, { time, rules, ...NO_ACCRUAL_TERMS });
}

/** Accrues the reserve to a later time. */
export function snapshotHistoricalReserveAt(
  reserve: HistoricalReserve,
  input: AccrualInput,
): ReserveSnapshot {
  return snapshotReserve(withOraclePrice(reserve), {
    ...input,
    prices: noPriceFeeds,
  });
}
