import { type Slot, toSlot } from '../time.ts';

/** How a cluster divides slots into epochs. */
export type EpochSchedule = {
  readonly slotsPerEpoch: bigint;
  /** The first epoch of full length. Those before it double in length. */
  readonly firstNormalEpoch: bigint;
  readonly firstNormalSlot: bigint;
};

/** Length of epoch 0 of a cluster whose first epochs double in length. */
const FIRST_EPOCH_SLOTS = 32n;

export function epochOfSlot(schedule: EpochSchedule, slot: bigint): bigint {
  const { slotsPerEpoch, firstNormalEpoch, firstNormalSlot } = schedule;
  if (slot >= firstNormalSlot) return firstNormalEpoch + (slot - firstNormalSlot) / slotsPerEpoch;
  let epoch = 0n;
  while (slot > epochSlots(schedule, epoch).last) epoch += 1n;
  return epoch;
}

export function epochSlots(
  { slotsPerEpoch, firstNormalEpoch, firstNormalSlot }: EpochSchedule,
  epoch: bigint,
): { readonly first: Slot; readonly last: Slot } {
  const isNormal = epoch >= firstNormalEpoch;
  const first = isNormal
    ? firstNormalSlot + (epoch - firstNormalEpoch) * slotsPerEpoch
    : FIRST_EPOCH_SLOTS * (2n ** epoch - 1n);
  const length = isNormal ? slotsPerEpoch : FIRST_EPOCH_SLOTS * 2n ** epoch;
  return { first: toSlot(first), last: toSlot(first + length - 1n) };
}
