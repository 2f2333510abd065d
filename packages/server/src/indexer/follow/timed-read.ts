import type { Slot } from '@tidegate/core/base';

/** When a read ended, and how long it took. */
export type ReadTime = { readonly at: number; readonly ms: number };

/** All changes up to `minSlot` are part of the value. */
export type TimedRead<Value> = {
  readonly value: Value;
  readonly minSlot: Slot;
  readonly time: ReadTime;
};

export const NEVER_READ: ReadTime = { at: 0, ms: 0 };
