import type { Address } from '../encoding/address.ts';
import type { Slot } from '../time.ts';
import type { RawAccount } from './account.ts';

/** The result of `simulateTransaction`. */
export type SimulationResult = {
  readonly slot: Slot;
  /** As in `meta.err` of a transaction. Undefined on success. */
  readonly error: unknown;
  readonly logs: readonly string[];
  /** Undefined if the node does not report it. */
  readonly unitsConsumed: bigint | undefined;
  /**
   * As the node returns them: instructions of programs that it knows are parsed, without their data. Undefined
   * if the node does not record them.
   */
  readonly innerInstructions: readonly unknown[] | undefined;
  /** The requested accounts after the transaction. Undefined for an account that does not exist. Empty on failure. */
  readonly accounts: ReadonlyMap<Address, (RawAccount & { readonly lamports: bigint }) | undefined>;
};
