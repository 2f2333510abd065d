import type { Slot } from '@tidegate/core/base';
import type { AccountKind } from '@tidegate/core/state';

/**
 * Why state may differ from the cluster.
 *
 * - `unconfirmedAbsence`: a node did not return an account, and no second read confirmed that it is closed.
 * - `lateUpdates`: an update arrived after its slot was complete, so that others may be missing.
 * - `sourcesDiffer`: endpoints return different accounts, or one that was wrong may have spoiled state.
 */
export type SourceDoubt = {
  readonly kind: AccountKind;
  readonly code: 'unconfirmedAbsence' | 'lateUpdates' | 'sourcesDiffer';
  readonly detail: string;
  readonly since: Slot;
};
