import { type ChainTime, type Slot, toSlot, toUnixSeconds } from '@tidegate/core/base';

export const SLOT_MS = 400n;

export const SLOTS_PER_EPOCH = 432_000n;

export const SLOTS_PER_DAY = 86_400_000n / SLOT_MS;

/** Slot 0, as if the cluster ran since then: a later start has a later slot, and none comes twice. */
const FIRST_SLOT_MS = 1_584_368_940_000n;

/** The slot that the wall clock is in. */
export function slotAt(nowMs: number): Slot {
  const elapsed = BigInt(Math.floor(nowMs)) - FIRST_SLOT_MS;
  return toSlot(elapsed > 0n ? elapsed / SLOT_MS : 0n);
}

/** A slot and its time by the wall clock. */
export const chainTimeAt = (nowMs: number): ChainTime =>
  timeOfSlot({ slot: toSlot(0n), unix: toUnixSeconds(FIRST_SLOT_MS / 1000n) }, slotAt(nowMs));

/** The time of a slot on a chain that was at `origin`, earlier or later; whole seconds, rounded down. */
export function timeOfSlot(origin: ChainTime, slot: Slot): ChainTime {
  const ms = origin.unix * 1000n + (slot - origin.slot) * SLOT_MS;
  return { slot, unix: toUnixSeconds(ms / 1000n) };
}

/** From now until the wall clock is in the next slot. */
export const msToNextSlot = (nowMs: number): number =>
  Number(SLOT_MS) - (Math.floor(nowMs) % Number(SLOT_MS));
