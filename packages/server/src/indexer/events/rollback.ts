import { encodeBase58, type Logger, type Slot } from '@tidegate/core/base';
import type { LedgerReader } from '../../chain/source/ledger-reader.ts';
import type { History } from '../../history/open-history.ts';
import { readSignaturesAfter } from '../../history/queries/transaction-signatures.ts';
import type { HistoryWriter } from '../../history/writing/history-writer.ts';
import { decodeSignature } from './event-rows.ts';

export type RollbackOptions = {
  readonly ledger: LedgerReader;
  readonly history: Pick<History, 'db'>;
  readonly writer: Pick<HistoryWriter, 'removeTransactions'>;
  readonly log: Logger;
};

/** Slots in `(after, upTo]`, and the signatures that the node lists in them. */
export type RollbackRange = {
  readonly after: Slot;
  readonly upTo: Slot;
  readonly listed: { has(signature: string): boolean };
};

/** Undoes a reorg: deletes stored transactions, with their events, that the cluster has rolled back. */
export class Rollback {
  readonly #options: RollbackOptions;

  constructor(options: RollbackOptions) {
    this.#options = options;
  }

  /** Deletes stored transactions that the node neither lists nor returns. Returns their signatures. */
  async deleteVanished({ after, upTo, listed }: RollbackRange): Promise<readonly string[]> {
    const { ledger, history } = this.#options;
    const stored = await readSignaturesAfter(history.db, after);
    const unlisted = stored
      .filter(({ slot }) => slot <= upTo)
      .map(({ signature }) => encodeBase58(signature))
      .filter((signature) => !listed.has(signature));
    const found = await ledger.getTransactions(unlisted);
    const vanished = unlisted.filter((_, index) => found[index] === undefined);
    await this.delete(vanished);
    return vanished;
  }

  async delete(signatures: readonly string[]): Promise<void> {
    if (signatures.length === 0) return;
    await this.#options.writer.removeTransactions(signatures.map(decodeSignature));
    this.#options.log.info({ signatures: signatures.length }, 'transactions were rolled back');
  }
}
