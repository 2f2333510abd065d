import type { Address, Slot, UnixSeconds } from '@tidegate/core/base';
import { transactions as spl } from '@tidegate/core/protocol/spl';
import { CodedError } from '../errors.ts';
import type { SeenTransaction } from '../indexer/events/event-follower-options.ts';

/** The transactions of a slot in the order of their block. */
export type OrderedTransactions = {
  readonly transactions: readonly (SeenTransaction & { readonly index: number })[];
  /** False if nobody knows the order. */
  readonly isOrdered: boolean;
  /** All accounts that they name. */
  readonly addresses: ReadonlySet<Address>;
  /** Those that a transaction without an error may have written. */
  readonly writable: ReadonlySet<Address>;
  /** The time of the block. */
  readonly blockTime: UnixSeconds | undefined;
};

/** Transactions by slot, until their slot is replayed. */
export class CapturedTransactions {
  readonly #slots = new Map<Slot, Map<string, SeenTransaction>>();

  add(transaction: SeenTransaction): void {
    const { slot, signature } = transaction;
    const known = this.#slots.get(slot) ?? new Map<string, SeenTransaction>();
    this.#slots.set(slot, known);
    const before = known.get(signature);
    if (before?.index === undefined) known.set(signature, transaction);
  }

  slots(): Iterable<Slot> {
    return this.#slots.keys();
  }

  signatures(slot: Slot): ReadonlySet<string> {
    return new Set(this.#slots.get(slot)?.keys());
  }

  inOrder(slot: Slot): OrderedTransactions {
    const seen = [...(this.#slots.get(slot)?.values() ?? [])];
    const isOrdered = seen.length < 2 || seen.every(({ index }) => index !== undefined);
    const transactions = seen
      .map((each) => ({ ...each, index: each.index ?? 0 }))
      .toSorted((a, b) => a.index - b.index);
    return { transactions, isOrdered, ...accountsOf(seen) };
  }

  /** Returns what it drops. */
  dropUpTo(slot: Slot): readonly SeenTransaction[] {
    const dropped: SeenTransaction[] = [];
    for (const [each, transactions] of this.#slots) {
      if (each > slot) continue;
      dropped.push(...transactions.values());
      this.#slots.delete(each);
    }
    return dropped;
  }

  clear(): void {
    this.#slots.clear();
  }
}

function accountsOf(seen: readonly SeenTransaction[]) {
  const addresses = new Set<Address>();
  const writable = new Set<Address>();
  let blockTime: UnixSeconds | undefined;
  for (const { response } of seen) {
    const parsed = tryParse(response);
    blockTime ??= parsed?.blockTime;
    for (const { address, isWritable } of parsed?.accounts ?? []) {
      addresses.add(address);
      if (isWritable && parsed?.error === undefined) writable.add(address);
    }
  }
  return { addresses, writable, blockTime };
}

/** The replay says what is wrong with a transaction that cannot be read. */
function tryParse(response: unknown) {
  try {
    return spl.parseTransaction(response);
  } catch (error) {
    if (error instanceof CodedError) return undefined;
    throw error;
  }
}
