import { encodeBase58, type Slot } from '@tidegate/core/base';
import type { ListedTransaction } from '../../chain/source/ledger-reader.ts';
import type { History } from '../../history/open-history.ts';
import { readExistingSignatures } from '../../history/queries/transaction-signatures.ts';
import { decodeSignature } from './event-rows.ts';
import type { Rollback } from './rollback.ts';

type UnstoredTransactionsOptions = {
  readonly history: Pick<History, 'db'>;
  readonly rollback: Pick<Rollback, 'deleteRolledBack'>;
};

type StoredSlots = ReadonlyMap<string, Slot>;

/** Which transactions are to be recorded: those that are not stored in the same slot. */
export class UnstoredTransactions {
  readonly #options: UnstoredTransactionsOptions;
  /** Recent transactions that need no further processing, with their slots. */
  readonly #processed = new Map<string, Slot>();

  constructor(options: UnstoredTransactionsOptions) {
    this.#options = options;
  }

  /** Of listed transactions. Removes from the database what is stored in another slot. */
  async select(listed: readonly ListedTransaction[]): Promise<ListedTransaction[]> {
    const { added, slots } = await this.#compare(listed);
    await this.#options.rollback.deleteRolledBack(movedOf(added, slots));
    return added.filter(({ signature, slot }) => slots.get(signature) !== slot);
  }

  /**
   * Of announced transactions. An announcement may be late or of a slot that was abandoned, so only a list decides about
   * those that are stored in another slot: `hasMoved`.
   */
  async selectAnnounced(
    announced: readonly ListedTransaction[],
  ): Promise<{ readonly unstored: ListedTransaction[]; readonly hasMoved: boolean }> {
    const { added, slots } = await this.#compare(announced);
    const unstored = added.filter(({ signature }) => !slots.has(signature));
    return { unstored, hasMoved: movedOf(added, slots).length > 0 };
  }

  /** Those that are not known to be processed, and the slots of those that are stored. */
  async #compare(found: readonly ListedTransaction[]) {
    const added = found.filter(
      ({ signature, slot, failed }) => !failed && this.#processed.get(signature) !== slot,
    );
    const signatures = added.map(({ signature }) => decodeSignature(signature));
    const stored = await readExistingSignatures(this.#options.history.db, signatures);
    const slots: StoredSlots = new Map(
      stored.map(({ signature, slot }) => [encodeBase58(signature), slot]),
    );
    for (const [signature, slot] of slots) this.#processed.set(signature, slot);
    return { added, slots };
  }

  /** Call it after transactions were recorded, also those without events. */
  add(transactions: readonly Pick<ListedTransaction, 'signature' | 'slot'>[]): void {
    for (const { signature, slot } of transactions) this.#processed.set(signature, slot);
  }

  forget(signatures: readonly string[]): void {
    for (const signature of signatures) this.#processed.delete(signature);
  }

  /** Call it when stored transactions may have changed. */
  forgetAll(): void {
    this.#processed.clear();
  }

  /** Call it with the slot up to which nothing is listed again. */
  forgetUpTo(floor: Slot): void {
    for (const [signature, slot] of this.#processed) {
      if (slot <= floor) this.#processed.delete(signature);
    }
  }
}

/** Those that are stored in another slot, with that slot. */
const movedOf = (added: readonly ListedTransaction[], slots: StoredSlots) =>
  added.flatMap(({ signature, slot: now }) => {
    const slot = slots.get(signature) ?? now;
    return slot === now ? [] : [{ signature, slot }];
  });
