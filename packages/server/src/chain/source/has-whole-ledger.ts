import { hasCode } from '@tidegate/core/base';
import type { LedgerReader } from './ledger-reader.ts';

/** Whether the node has every transaction since genesis. False if it does not tell. */
export async function hasWholeLedger(ledger: LedgerReader): Promise<boolean> {
  try {
    return (await ledger.getFirstAvailableSlot()) === 0n;
  } catch (error) {
    if (hasCode(error, 'SOURCE_REFUSES')) return false;
    throw error;
  }
}
