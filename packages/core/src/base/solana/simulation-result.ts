import type { Address } from '../encoding/address.ts';
import type { Slot } from '../time.ts';
import type { RawAccount } from './account.ts';

/** What a node says a transaction would do if it ran now. */
export type SimulationResult = {
  readonly slot: Slot;
  /** The node's own form, as in `meta.err` of a transaction; undefined where it succeeds. */
  readonly error: unknown;
  readonly logs: readonly string[];
  /** Undefined where the node does not count. */
  readonly unitsConsumed: bigint | undefined;
  /**
   * The node's own form, undefined where it does not record them: instructions of programs that it knows are
   * in its words, without their bytes.
   */
  readonly innerInstructions: readonly unknown[] | undefined;
  /** Those asked for, after it, undefined where there is none then. Empty when it fails. */
  readonly accounts: ReadonlyMap<Address, (RawAccount & { readonly lamports: bigint }) | undefined>;
};
