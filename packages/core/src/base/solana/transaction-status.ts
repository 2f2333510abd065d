import type { Slot } from '../time.ts';

export type StatusQuery = {
  readonly signature: string;
  /** Of the transaction's blockhash: the last block height at which it can land. */
  readonly lastValidBlockHeight?: bigint | undefined;
};

/** How far a cluster has agreed on a block. Only a finalized one is never rolled back. */
export type Confirmation = 'processed' | 'confirmed' | 'finalized';

/** What one node knows of a transaction. */
export type TransactionStatus = {
  /** Of a confirmed block that the node had before it looked for the transaction. */
  readonly slot: Slot;
  readonly blockHeight: bigint;
  /** Undefined if the node does not know the transaction. */
  readonly found: FoundTransaction | undefined;
  /**
   * Whether the node has all blocks in which the transaction could be, and the transaction is in none. Never true without
   * `lastValidBlockHeight`.
   */
  readonly isExpired: boolean;
};

export type FoundTransaction = {
  readonly slot: Slot;
  readonly confirmation: Confirmation;
  /** As in `meta.err` of the transaction; null if it succeeded. */
  readonly error: unknown;
};
