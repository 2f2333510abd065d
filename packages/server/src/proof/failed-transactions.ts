import type { Slot } from '@tidegate/core/base';
import type { LedgerReader } from '../chain/source/ledger-reader.ts';
import { CodedError } from '../errors.ts';
import type { SeenTransaction } from '../indexer/events/event-follower-options.ts';
import type { AnnouncedTransaction } from '../indexer/events/transaction-announcements.ts';

export type FailedTransactionsOptions = {
  readonly ledger: Pick<LedgerReader, 'getTransactions' | 'getBlockSignatures'>;
  readonly onTransactions: (transactions: readonly SeenTransaction[]) => void;
  readonly clock: () => number;
};

/** Reads per minute: failed transactions are many, and change nothing. */
const MAX_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

/** Transactions that failed: those of a stream, and a few that are only announced, which are read. */
export class FailedTransactions {
  readonly #options: FailedTransactionsOptions;
  readonly #reading = new Map<string, Slot>();
  #minute = 0;
  #count = 0;

  constructor(options: FailedTransactionsOptions) {
    this.#options = options;
  }

  add(announced: AnnouncedTransaction): void {
    const { signature, slot } = announced;
    if ('transaction' in announced) {
      const { transaction: response, transactionIndex: index } = announced;
      this.#options.onTransactions([{ signature, slot, index, response }]);
    } else if (!this.#reading.has(signature) && this.#mayRead()) {
      this.#reading.set(signature, slot);
      void this.#read(signature, slot).finally(() => this.#reading.delete(signature));
    }
  }

  /** The oldest slot with a transaction that is being read. */
  get oldestReading(): Slot | undefined {
    const [first, ...others] = this.#reading.values();
    return others.reduce((oldest, slot) => (slot < (oldest ?? slot) ? slot : oldest), first);
  }

  async #read(signature: string, slot: Slot): Promise<void> {
    const { ledger, onTransactions } = this.#options;
    try {
      const [[response], block] = await Promise.all([
        ledger.getTransactions([signature]),
        ledger.getBlockSignatures(slot),
      ]);
      const index = block?.indexOf(signature) ?? -1;
      // without its place in the block, the others of the slot could not be replayed either
      if (response !== undefined && index >= 0) {
        onTransactions([{ signature, slot, index, response }]);
      }
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
    }
  }

  #mayRead(): boolean {
    const minute = Math.floor(this.#options.clock() / MINUTE_MS);
    if (minute !== this.#minute) this.#count = 0;
    this.#minute = minute;
    this.#count += 1;
    return this.#count <= MAX_PER_MINUTE;
  }
}
