import type { Slot } from '@tidegate/core/base';

/** Slots that the cluster has undone. Slots before the oldest known one may be undone too, unless they are final. */
export type RolledBackSlots = { readonly oldest: Slot; readonly newest: Slot };
