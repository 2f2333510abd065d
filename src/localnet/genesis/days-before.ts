import { CodedError } from '../../base/errors.ts';
import { type ChainTime, toSlot, toUnixSeconds } from '../../base/time.ts';

const SECONDS_PER_DAY = 86_400n;
/** Slots of 400 ms. */
const SLOTS_PER_DAY = (SECONDS_PER_DAY * 5n) / 2n;

/** How far back the past of the accounts goes. */
export const DAYS_OF_PAST = 120;

/** The time some days before `at`. The cluster must be old enough to have had that past. */
export function daysBefore(at: ChainTime, days: number): ChainTime {
  const most = Math.max(days, DAYS_OF_PAST);
  if (at.slot < BigInt(most + 1) * SLOTS_PER_DAY) {
    const reason = `it begins in slot ${at.slot}, which leaves no ${most} days before it`;
    throw new CodedError('MALFORMED_DATA', { what: 'genesis', reason });
  }
  return {
    slot: toSlot(at.slot - BigInt(days) * SLOTS_PER_DAY),
    unix: toUnixSeconds(at.unix - BigInt(days) * SECONDS_PER_DAY),
  };
}
