import type { LedgerReader } from '../source/ledger-reader.ts';

type CallLedger = <Value>(send: (ledger: LedgerReader) => Promise<Value>) => Promise<Value>;

/** Sends each request to the ledger of an endpoint that `call` selects. */
export function createFailoverLedger(call: CallLedger): LedgerReader {
  return {
    listSignatures: (query) => call((ledger) => ledger.listSignatures(query)),
    getTransactions: (signatures) => call((ledger) => ledger.getTransactions(signatures)),
    getBlockSignatures: (slot) => call((ledger) => ledger.getBlockSignatures(slot)),
    getBlockTransactions: (slot) => call((ledger) => ledger.getBlockTransactions(slot)),
    getFirstAvailableSlot: () => call((ledger) => ledger.getFirstAvailableSlot()),
    getEpochSchedule: () => call((ledger) => ledger.getEpochSchedule()),
    listBlocks: (first, last) => call((ledger) => ledger.listBlocks(first, last)),
    getBlockTime: (slot) => call((ledger) => ledger.getBlockTime(slot)),
    getFinalizedSlot: () => call((ledger) => ledger.getFinalizedSlot()),
  };
}
