import type { Slot } from '@tidegate/core/base';
import type { ChainReader } from '../source/chain-source.ts';
import type { LedgerReader } from '../source/ledger-reader.ts';

/** Sends a request to an endpoint that it selects. */
type Call = <Value>(request: EndpointRequest<Value>) => Promise<Value>;

export type FailoverReads = Required<Omit<ChainReader, 'usage' | 'close'>>;

const bySlot = ({ slot }: { readonly slot: Slot }): Slot => slot;
const withoutSlot = () => undefined;

export const failoverReads = (call: Call): Omit<FailoverReads, 'name' | 'commitment'> => ({
  getGenesisHash: () => call({ send: (reader) => reader.getGenesisHash(), slotOf: withoutSlot }),
  getSlot: () => call(slotRequest),
  getSlotTime: () => call({ send: (reader) => reader.getSlotTime(), slotOf: bySlot }),
  getSlotDurationMs: () =>
    call({ send: (reader) => reader.getSlotDurationMs(), slotOf: withoutSlot }),
  getAccounts: (...args) => call({ send: (reader) => reader.getAccounts(...args), slotOf: bySlot }),
  getAccountsAgain: (...args) =>
    call({ send: (reader) => reader.getAccounts(...args), slotOf: bySlot, isCheck: true }),
  scanProgram: (...args) =>
    call({ send: (reader) => reader.scanProgram(...args), slotOf: bySlot, findsClosed: true }),
  /** Another endpoint starts the read over, and the sink with it. */
  streamProgram: (...args) =>
    call({ send: (reader) => reader.streamProgram(...args), slotOf: bySlot, findsClosed: true }),
  getLatestBlockhash: (...args) =>
    call({ send: (reader) => reader.getLatestBlockhash(...args), slotOf: bySlot }),
  getRecentPriorityFees: (...args) =>
    call({ send: (reader) => reader.getRecentPriorityFees(...args), slotOf: withoutSlot }),
  /** Has no effect on the cluster, so another endpoint may repeat it. */
  simulate: (...args) => call({ send: (reader) => reader.simulate(...args), slotOf: bySlot }),
  ledger: failoverLedger(call),
});

export function failoverLedger(call: Call): LedgerReader {
  const read = <Value>(send: (ledger: LedgerReader) => Promise<Value>) =>
    call({ send: ({ ledger }) => send(ledger), slotOf: withoutSlot });
  return {
    listSignatures: (query) => read((ledger) => ledger.listSignatures(query)),
    getTransactions: (signatures) => read((ledger) => ledger.getTransactions(signatures)),
    getTransactionStatus: (query) =>
      call({ send: ({ ledger }) => ledger.getTransactionStatus(query), slotOf: bySlot }),
    getBlockSignatures: (slot) => read((ledger) => ledger.getBlockSignatures(slot)),
    getBlockTransactions: (slot) => read((ledger) => ledger.getBlockTransactions(slot)),
    getFirstAvailableSlot: () => read((ledger) => ledger.getFirstAvailableSlot()),
    getEpochSchedule: () => read((ledger) => ledger.getEpochSchedule()),
    listBlocks: (first, last) => read((ledger) => ledger.listBlocks(first, last)),
    getBlockTime: (slot) => read((ledger) => ledger.getBlockTime(slot)),
    getFinalizedSlot: () => read((ledger) => ledger.getFinalizedSlot()),
  };
}

/** How to send a request, and the slot of its result. */
export type EndpointRequest<Value> = {
  readonly send: (reader: ChainReader) => Promise<Value>;
  readonly slotOf: (value: Value) => Slot | undefined;
  /** Whether accounts that are missing in the result count as closed. */
  readonly findsClosed?: boolean;
  /** Whether it checks what the usual endpoint said. */
  readonly isCheck?: boolean;
};

export const slotRequest: EndpointRequest<Slot> = {
  send: (reader) => reader.getSlot(),
  slotOf: (slot) => slot,
};
