import type { UnixSeconds } from '@tidegate/core/base';

const MINUTE = 60n;

/** Whole minutes that begin after the first time, up to the second one. */
export const minutesBetween = (from: UnixSeconds, to: UnixSeconds): bigint =>
  to / MINUTE - from / MINUTE;

/**
 * Samples every slot of the first second of a minute: the last of them is the state at that minute. If there is no such slot, the
 * next one is sampled.
 */
export const isSampleDue = (unix: UnixSeconds, sampledAt: UnixSeconds | undefined): boolean =>
  unix % MINUTE === 0n || sampledAt === undefined || minutesBetween(sampledAt, unix) > 0n;
