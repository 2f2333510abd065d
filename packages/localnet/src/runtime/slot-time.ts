import { type ChainTime, type Slot, toSlot, toUnixSeconds } from '@tidegate/core/base';

export const SLOT_MS = 400n;

export const SLOTS_PER_EPOCH = 432_000n;

export const SLOTS_PER_DAY = 86_400_000n / SLOT_MS;

/**
 * Time of slot 0, as if the cluster had run since then: a later start has a later slot, and no slot
 * repeats.
 */
const FIRST_SLOT_MS = 1_584_368_940_000n;

/** The current slot by the wall clock. */
export function slotAt(nowMs: number): Slot {
  const elapsed = BigInt(Math.floor(nowMs)) - FIRST_SLOT_MS;
  return toSlot(elapsed > 0n ? elapsed / SLOT_MS : 0n);
}

/** The current slot and its time by the wall clock. */
export const chainTimeAt = (nowMs: number): ChainTime =>
  timeOfSlot({ slot: toSlot(0n), unix: toUnixSeconds(FIRST_SLOT_MS / 1000n) }, slotAt(nowMs));

/** Time of a slot relative to `origin`, in whole seconds, rounded down. */
export function timeOfSlot(origin: ChainTime, slot: Slot): ChainTime {
  const ms = origin.unix * 1000n + (slot - origin.slot) * SLOT_MS;
  return { slot, unix: toUnixSeconds(ms / 1000n) };
}

/** Milliseconds until the next slot starts. */
export const msToNextSlot = (nowMs: number): number =>
  Number(SLOT_MS) - (Math.floor(nowMs) % Number(SLOT_MS));
