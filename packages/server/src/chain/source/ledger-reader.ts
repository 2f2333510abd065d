import type {
  Address,
  EpochSchedule,
  Slot,
  StatusQuery,
  TransactionStatus,
  UnixSeconds,
} from '@tidegate/core/base';
import { hasCode } from '../../errors.ts';

/** An entry in the list of transactions that mention an address. */
export type ListedTransaction = {
  readonly signature: string;
  readonly slot: Slot;
  /** Undefined if the node did not store the block time. */
  readonly at: UnixSeconds | undefined;
  readonly failed: boolean;
};

export type SignaturesQuery = {
  readonly address: Address;
  /** Lists transactions before this one; from the newest if omitted. The list is empty if the node does not know it. */
  readonly before?: string;
  /** Lists transactions after this one. */
  readonly until?: string;
  /** At most 1,000. */
  readonly limit: number;
};

/** Transactions of a cluster, at the commitment of the source. */
export type LedgerReader = {
  /** Newest first. */
  listSignatures(query: SignaturesQuery): Promise<readonly ListedTransaction[]>;
  /** The `getTransaction` results in the order of the signatures; undefined for unknown transactions. */
  getTransactions(signatures: readonly string[]): Promise<readonly unknown[]>;
  /** From one node, so that what it does not know is as certain as what it knows. */
  getTransactionStatus(query: StatusQuery): Promise<TransactionStatus>;
  /** All signatures of a block in order; undefined if the node does not have the block. */
  getBlockSignatures(slot: Slot): Promise<readonly string[] | undefined>;
  /** All transactions of a block in order, as `getTransaction` returns them; undefined if the node does not have it. */
  getBlockTransactions(slot: Slot): Promise<readonly unknown[] | undefined>;
  /** The oldest block that the node has not purged; 0 if it has the whole ledger. */
  getFirstAvailableSlot(): Promise<Slot>;
  getEpochSchedule(): Promise<EpochSchedule>;
  /** The slots in a range, including its ends, that have a block. At most 500,000 slots. */
  listBlocks(first: Slot, last: Slot): Promise<readonly Slot[]>;
  /** Undefined if the node does not have it. */
  getBlockTime(slot: Slot): Promise<UnixSeconds | undefined>;
  /** Slots up to this one are never rolled back. */
  getFinalizedSlot(): Promise<Slot>;
};

/** Whether the node has every transaction since genesis. False if it does not tell. */
export async function hasWholeLedger(ledger: LedgerReader): Promise<boolean> {
  try {
    return (await ledger.getFirstAvailableSlot()) === 0n;
  } catch (error) {
    if (hasCode(error, 'SOURCE_REFUSES')) return false;
    throw error;
  }
}
