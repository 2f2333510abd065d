import type { Address, Slot, UnixSeconds } from '@tidegate/core/base';

/** A transaction as it is listed for an address that it mentions. */
export type ListedTransaction = {
  readonly signature: string;
  readonly slot: Slot;
  /** Undefined where the node did not keep it. */
  readonly at: UnixSeconds | undefined;
  readonly failed: boolean;
};

export type SignaturesQuery = {
  readonly address: Address;
  /** Older than this one; without it from the newest on. Nothing comes for one that the node does not know. */
  readonly before?: string;
  /** Newer than this one. */
  readonly until?: string;
  /** At most 1,000. */
  readonly limit: number;
};

/** Transactions of a cluster, at the commitment of the source. */
export type LedgerReader = {
  /** Newest first. */
  listSignatures(ask: SignaturesQuery): Promise<readonly ListedTransaction[]>;
  /** The `result` of `getTransaction` for each, in their order; undefined for one that the node does not know. */
  getTransactions(signatures: readonly string[]): Promise<readonly unknown[]>;
  /** All of a block in their order; undefined where the node does not have it (any more). */
  getBlockSignatures(slot: Slot): Promise<readonly string[] | undefined>;
  /** Up to which nothing is ever taken back. */
  getFinalizedSlot(): Promise<Slot>;
};
