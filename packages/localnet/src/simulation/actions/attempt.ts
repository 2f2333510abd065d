import { CodedError } from '@tidegate/core/base';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';

/** How the acts of a played time ended. */
export type ActionCounts = {
  /** Landed and did what was meant. */
  done: number;
  /** Landed and failed, as happens to people. */
  failed: number;
  /** Not even built: there was nothing to do it with. */
  skipped: number;
};

export const createActionCounts = (): ActionCounts => ({ done: 0, failed: 0, skipped: 0 });

/** People try things. What a builder refuses is not done; what the cluster refuses has cost them a fee. */
export function attempt(tally: ActionCounts, act: () => TransactionRecord | undefined): boolean {
  try {
    const record = act();
    if (record === undefined) tally.skipped += 1;
    else if (record.error === undefined) tally.done += 1;
    else tally.failed += 1;
    return record !== undefined && record.error === undefined;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    tally.skipped += 1;
    return false;
  }
}
