import { bytesToHex, encodeBase58, type Logger, type Slot, toSlot } from '@tidegate/core/base';
import { viewTransaction } from '@tidegate/core/views/transactions';
import type { LedgerReader, ListedTransaction } from '../../chain/source/ledger-reader.ts';
import type { History } from '../../history/open-history.ts';
import { readRawTransactionsBySignature } from '../../history/queries/raw-transactions.ts';
import { readSignaturesAfter } from '../../history/queries/transaction-signatures.ts';
import type { HistoryWriter } from '../../history/writing/history-writer.ts';
import type { RolledBackSlots } from '../follow/rolled-back-slots.ts';
import { decodeSignature } from './event-rows.ts';

export type RollbackOptions = {
  readonly ledger: LedgerReader;
  readonly history: Pick<History, 'db'>;
  readonly writer: Pick<HistoryWriter, 'removeTransactions'>;
  readonly log: Logger;
  /** Called when stored transactions turn out to be rolled back. */
  readonly onRollBack?: (slots: RolledBackSlots) => void;
  /** Called after transactions were deleted. */
  readonly onDeleted: () => void;
};

/** Slots in `(after, upTo]`, and the signatures that the node lists in them. */
export type RollbackRange = {
  readonly after: Slot;
  readonly upTo: Slot;
  readonly listed: { has(signature: string): boolean };
};

/** A transaction and the slot in which it is stored. */
type StoredTransaction = { readonly signature: string; readonly slot: Slot };

/** Undoes a reorg: deletes stored transactions, with their events, that the cluster has rolled back. */
export class Rollback {
  readonly #options: RollbackOptions;
  /** The oldest slot that is known to be rolled back, until its transactions are deleted. */
  #undoneSince: Slot | undefined;

  constructor(options: RollbackOptions) {
    this.#options = options;
  }

  /** Call it when slots were rolled back. A transaction may be in the same slot again, with another result. */
  expect(oldest: Slot): void {
    if (oldest < (this.#undoneSince ?? oldest + 1n)) this.#undoneSince = oldest;
  }

  /**
   * Compares the stored transactions of slots that may have been rolled back with those of the node. Deletes the ones
   * that differ, and returns those that the node has, to be recorded again.
   */
  async deleteChanged(finalized: Slot): Promise<readonly ListedTransaction[]> {
    const since = this.#undoneSince;
    if (since === undefined) return [];
    this.#undoneSince = undefined;
    try {
      return await this.#deleteChangedAfter(finalized < since ? finalized : toSlot(since - 1n));
    } catch (error) {
      this.expect(since);
      throw error;
    }
  }

  /** Deletes stored transactions that the node neither lists nor returns. Returns their number. */
  async deleteVanished({ after, upTo, listed }: RollbackRange): Promise<number> {
    const unlisted = (await this.#readAfter(after)).filter(
      ({ signature, slot }) => slot <= upTo && !listed.has(signature),
    );
    const found = await this.#options.ledger.getTransactions(
      unlisted.map(({ signature }) => signature),
    );
    const vanished = unlisted.filter((_, index) => found[index] === undefined);
    await this.deleteRolledBack(vanished);
    return vanished.length;
  }

  /** Deletes transactions that are not in the slot in which they are stored. */
  async deleteRolledBack(transactions: readonly StoredTransaction[]): Promise<void> {
    await this.#delete(transactions);
    const [first, ...others] = transactions.map(({ slot }) => slot);
    if (first === undefined) return;
    const oldest = others.reduce((least, slot) => (slot < least ? slot : least), first);
    const newest = others.reduce((most, slot) => (slot > most ? slot : most), first);
    this.expect(oldest);
    this.#options.onRollBack?.({ oldest, newest });
  }

  async #deleteChangedAfter(slot: Slot): Promise<readonly ListedTransaction[]> {
    const { ledger, history } = this.#options;
    const stored = await this.#readAfter(slot);
    const signatures = stored.map(({ signature }) => signature);
    const bytes = signatures.map(decodeSignature);
    const storedJson = await readRawTransactionsBySignature(history, bytes);
    const responses = await ledger.getTransactions(signatures);
    const isChanged = (index: number): boolean => {
      const before = storedJson.get(bytesToHex(bytes[index] ?? new Uint8Array()));
      return JSON.stringify(responses[index]) !== before;
    };
    await this.#delete(stored.filter((_, index) => isChanged(index)));
    const again = responses.filter((response, index) => response !== undefined && isChanged(index));
    return again.map(toListedTransaction);
  }

  async #readAfter(slot: Slot): Promise<readonly StoredTransaction[]> {
    const stored = await readSignaturesAfter(this.#options.history.db, slot);
    return stored.map((each) => ({ ...each, signature: encodeBase58(each.signature) }));
  }

  async #delete(transactions: readonly StoredTransaction[]): Promise<void> {
    if (transactions.length === 0) return;
    const { writer, log, onDeleted } = this.#options;
    const signatures = transactions.map(({ signature }) => signature);
    await writer.removeTransactions(signatures.map(decodeSignature));
    log.info({ signatures: signatures.length }, 'transactions were rolled back');
    onDeleted();
  }
}

function toListedTransaction(response: unknown): ListedTransaction {
  const { signature, slot, blockTime: at, failure } = viewTransaction(response);
  return { signature, slot, at, failed: failure !== undefined };
}
