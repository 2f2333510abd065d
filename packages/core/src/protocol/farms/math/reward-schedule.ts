import type { Elements, View } from '../../../base/encoding/layout.ts';
import { checkBits } from '../../../base/numbers/decimal-wad.ts';
import { farmsRejection } from '../errors.ts';
import type { rewardPerTimeUnitPoint } from '../layout/farm-state.ts';

/** Rates with start times, ascending. Unused points have the maximum time. */
export type RewardSchedule = Elements<View<typeof rewardPerTimeUnitPoint>>;

/** The scheduled amount in `(from, to]`, in units of `10^-rewardsPerSecondDecimals` lamports. */
export function scheduledAmount(schedule: RewardSchedule, from: bigint, to: bigint): bigint {
  if (from > to) {
    throw farmsRejection('InvalidTimestamp', `time ${to} is before the last issuance ${from}`);
  }
  const started = startedPoints(schedule, from);
  if (started === 0) {
    throw farmsRejection('InvalidRpsCurvePoint', `the reward schedule starts after ${from}`);
  }
  let amount = 0n;
  for (let i = started - 1; i < schedule.length; i++) {
    const point = schedule.at(i);
    if (point === undefined || point.tsStart >= to) break;
    const start = point.tsStart > from ? point.tsStart : from;
    const next = schedule.at(i + 1)?.tsStart ?? to;
    const length = (next < to ? next : to) - start;
    amount = fitAmount(amount + fitAmount(point.rewardPerTimeUnit * length));
  }
  return amount;
}

/** The current rate, in the schedule's units per unit of time. Zero before the schedule starts. */
export function scheduledRate(schedule: RewardSchedule, now: bigint): bigint {
  const started = startedPoints(schedule, now);
  return started === 0 ? 0n : (schedule.at(started - 1)?.rewardPerTimeUnit ?? 0n);
}

function startedPoints(schedule: RewardSchedule, now: bigint): number {
  let started = 0;
  for (const { tsStart } of schedule) {
    if (tsStart > now) break;
    started++;
  }
  return started;
}

const fitAmount = (amount: bigint): bigint => checkBits(amount, 64, 'scheduled reward');
