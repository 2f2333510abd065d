import { U64_MAX } from '../../../base/numbers/lamports.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import { klendRejection } from '../errors.ts';
import type { Reserve } from '../layout/reserve.ts';

export type WithdrawalCaps = Reserve['config']['depositWithdrawalCap'];

const I64_MAX = 0x7fff_ffff_ffff_ffffn;
const I64_MIN = -I64_MAX - 1n;

/** The remaining outflow of this interval. The maximum of 64 bits without a cap. A capacity of 0 allows nothing. */
export function remainingWithdrawalCap(caps: WithdrawalCaps, now: UnixSeconds): bigint {
  if (caps.configIntervalLengthSeconds === 0n) return U64_MAX;
  if (caps.configCapacity < 0n) return 0n;
  const total = intervalElapsed(caps, now) ? 0n : caps.currentTotal;
  return total <= caps.configCapacity ? caps.configCapacity - total : 0n;
}

/** Adds an outflow. Throws above the cap. */
export function addToWithdrawalAccum(
  caps: WithdrawalCaps,
  amount: bigint,
  now: UnixSeconds,
): WithdrawalCaps {
  if (caps.configIntervalLengthSeconds === 0n) return saturated(caps, amount);
  const current = currentInterval(caps, now);
  const remaining = remainingWithdrawalCap(current, now);
  if (amount > remaining) {
    const reason = `the amount of ${amount} lamports exceeds the ${remaining} lamports left in this interval`;
    throw klendRejection('WithdrawalCapReached', reason, {
      unit: 'token',
      needed: amount,
      available: remaining,
      limit: current.configCapacity,
      until: current.lastIntervalStartTimestamp + current.configIntervalLengthSeconds,
    });
  }
  return { ...current, currentTotal: checked(current.currentTotal + toSigned(amount)) };
}

/** Adds an inflow, which increases the remaining capacity, also beyond the cap. */
export function subFromWithdrawalAccum(
  caps: WithdrawalCaps,
  amount: bigint,
  now: UnixSeconds,
): WithdrawalCaps {
  if (caps.configIntervalLengthSeconds === 0n) return saturated(caps, -amount);
  const current = currentInterval(caps, now);
  return { ...current, currentTotal: checked(current.currentTotal - toSigned(amount)) };
}

/** Without an interval the program still counts, within 64 bits. */
function saturated(caps: WithdrawalCaps, change: bigint): WithdrawalCaps {
  toSigned(change < 0n ? -change : change);
  const total = caps.currentTotal + change;
  return { ...caps, currentTotal: total > I64_MAX ? I64_MAX : total < I64_MIN ? I64_MIN : total };
}

function currentInterval(caps: WithdrawalCaps, now: UnixSeconds): WithdrawalCaps {
  if (caps.lastIntervalStartTimestamp > now) {
    throw klendRejection('LastTimestampGreaterThanCurrent', 'the interval starts in the future');
  }
  if (!intervalElapsed(caps, now)) return caps;
  return { ...caps, currentTotal: 0n, lastIntervalStartTimestamp: now };
}

function intervalElapsed(caps: WithdrawalCaps, now: UnixSeconds): boolean {
  const since = now - caps.lastIntervalStartTimestamp;
  return since >= caps.configIntervalLengthSeconds;
}

function toSigned(amount: bigint): bigint {
  if (amount > I64_MAX) throw klendRejection('MathOverflow', 'the amount has more than 63 bits');
  return amount;
}

function checked(total: bigint): bigint {
  if (total > I64_MAX || total < I64_MIN) {
    throw klendRejection('MathOverflow', 'the counter of the withdrawal cap overflows');
  }
  return total;
}
