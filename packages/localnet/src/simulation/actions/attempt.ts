import { CodedError } from '../../errors/index.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';

/** Outcomes of the simulated actions. */
export type ActionCounts = {
  /** Landed and succeeded. */
  succeeded: number;
  /** Landed and failed. */
  failed: number;
  /** Not sent: the builder rejected it, or there was nothing to do. */
  skipped: number;
};

export const createActionCounts = (): ActionCounts => ({ succeeded: 0, failed: 0, skipped: 0 });

/**
 * Executes an action and counts its outcome. A rejection by the builder counts as skipped; a
 * program error costs the wallet the fee.
 */
export function attempt(
  counts: ActionCounts,
  action: () => TransactionRecord | undefined,
): boolean {
  try {
    const record = action();
    if (record === undefined) counts.skipped += 1;
    else if (record.error === undefined) counts.succeeded += 1;
    else counts.failed += 1;
    return record !== undefined && record.error === undefined;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    counts.skipped += 1;
    return false;
  }
}
