import { type ChainTime, type Slot, toSlot, toUnixSeconds } from '@tidegate/core/base';

export const SLOTS_PER_EPOCH = 432_000n;

/**
 * Time of slot 0, as if the cluster had run since then: a later start has a later slot, and no slot
 * repeats.
 */
const FIRST_SLOT_MS = 1_584_368_940_000n;

/** Parts of a slot: every duration below is a whole number of parts per millisecond. */
const PARTS_PER_SLOT = 8_400n;

/** How long slots take from a time on, with the parts of slots until then. */
type SlotDuration = { readonly fromMs: bigint; readonly slotMs: bigint; readonly parts: bigint };

const LONG_SLOTS: SlotDuration = { fromMs: 0n, slotMs: 400n, parts: 0n };
const SHORTER_SLOTS = durationAfter(LONG_SLOTS, Date.UTC(2026, 8, 22), 350n);
const SHORTEST_SLOTS = durationAfter(SHORTER_SLOTS, Date.UTC(2026, 8, 29), 300n);

/** Slots became shorter in September 2026, as on mainnet. */
const SLOT_DURATIONS = [LONG_SLOTS, SHORTER_SLOTS, SHORTEST_SLOTS] as const;

function durationAfter(previous: SlotDuration, fromMs: number, slotMs: bigint): SlotDuration {
  return { fromMs: BigInt(fromMs), slotMs, parts: partsUntil(BigInt(fromMs), previous) };
}

/** How long slots take at a time. */
export const slotMsAt = ({ unix }: ChainTime): bigint => durationAt(unix * 1000n).slotMs;

/** The first slot of a cluster that has always run. */
export const FIRST_SLOT: ChainTime = {
  slot: toSlot(0n),
  unix: toUnixSeconds(FIRST_SLOT_MS / 1000n),
};

/** The current slot by the wall clock. */
export function slotAt(nowMs: number): Slot {
  const ms = BigInt(Math.floor(nowMs));
  return ms > FIRST_SLOT_MS ? slotAtMs(FIRST_SLOT, ms) : FIRST_SLOT.slot;
}

/** The current slot and its time by the wall clock. */
export const chainTimeAt = (nowMs: number): ChainTime => timeOfSlot(FIRST_SLOT, slotAt(nowMs));

/** The slot at a time, relative to `origin`. */
export const slotAtMs = (origin: ChainTime, ms: bigint): Slot =>
  slotOfPart(origin, partsAt(ms) - partsAt(origin.unix * 1000n));

/** The first millisecond of a slot. */
export function startMsOf(origin: ChainTime, slot: Slot): bigint {
  const parts = partsOf(origin, slot);
  const ms = msAt(parts);
  return partsAt(ms) < parts ? ms + 1n : ms;
}

/** Time of a slot relative to `origin`, in whole seconds, rounded down. */
export const timeOfSlot = (origin: ChainTime, slot: Slot): ChainTime => ({
  slot,
  unix: toUnixSeconds(msAt(partsOf(origin, slot)) / 1000n),
});

/** The last slot that starts before a time, relative to `origin`. */
export const lastSlotBefore = (origin: ChainTime, unix: bigint): Slot =>
  slotOfPart(origin, partsAt(unix * 1000n) - partsAt(origin.unix * 1000n) - 1n);

/** The number of slots from one that starts at `from` to the first one that starts at `to` or later. */
export const slotsBetween = (from: bigint, to: bigint): bigint =>
  (partsAt(to * 1000n) - partsAt(from * 1000n) + PARTS_PER_SLOT - 1n) / PARTS_PER_SLOT;

/** The slot with a part that is counted from the start of `origin`, or before it if negative. */
function slotOfPart(origin: ChainTime, part: bigint): Slot {
  const isBefore = part % PARTS_PER_SLOT < 0n;
  return toSlot(origin.slot + part / PARTS_PER_SLOT - (isBefore ? 1n : 0n));
}

const partsOf = (origin: ChainTime, slot: Slot): bigint =>
  partsAt(origin.unix * 1000n) + (slot - origin.slot) * PARTS_PER_SLOT;

/** Parts of slots from 1970 to a time. */
function partsAt(ms: bigint): bigint {
  return partsUntil(ms, durationAt(ms));
}

/** The time after some parts of slots since 1970, rounded down to milliseconds. */
function msAt(parts: bigint): bigint {
  const duration = SLOT_DURATIONS.findLast((known) => parts >= known.parts) ?? SLOT_DURATIONS[0];
  return duration.fromMs + (parts - duration.parts) / (PARTS_PER_SLOT / duration.slotMs);
}

function durationAt(ms: bigint): SlotDuration {
  return SLOT_DURATIONS.findLast(({ fromMs }) => ms >= fromMs) ?? SLOT_DURATIONS[0];
}

function partsUntil(ms: bigint, { fromMs, slotMs, parts }: SlotDuration): bigint {
  return parts + (ms - fromMs) * (PARTS_PER_SLOT / slotMs);
}
