import type { Slot } from '../time.ts';

/** What a transaction must name to be accepted, and how long it is. */
export type LatestBlockhash = {
  /** That the node answered for. */
  readonly slot: Slot;
  readonly blockhash: string;
  /** The last block that takes a transaction with it. */
  readonly lastValidBlockHeight: bigint;
};
