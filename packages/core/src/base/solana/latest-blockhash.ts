import type { Slot } from '../time.ts';

/** A recent blockhash and its expiry. */
export type LatestBlockhash = {
  /** The context slot of the response. */
  readonly slot: Slot;
  readonly blockhash: string;
  /** The last block height that accepts a transaction with this blockhash. */
  readonly lastValidBlockHeight: bigint;
};
