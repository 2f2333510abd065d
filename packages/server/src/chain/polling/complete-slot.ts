import type { Slot } from '@tidegate/core/base';

/** The slot up to which everything was read: that of the oldest read. Undefined if something was not read yet. */
export function findCompleteSlot(
  pollSlot: Slot,
  reads: Iterable<{ readonly slot: Slot | undefined }>,
): Slot | undefined {
  let complete = pollSlot;
  for (const { slot } of reads) {
    if (slot === undefined) return undefined;
    if (slot < complete) complete = slot;
  }
  return complete;
}
