import { formatError, type Logger } from '@tidegate/core/base';
import type { ClosingSlot } from '../cluster/localnet.ts';
import type { Bank } from '../runtime/bank.ts';
import type { TransactionPipeline } from '../runtime/transactions/transaction-pipeline.ts';
import {
  createJournalEntry,
  type GenesisPlan,
  isEmptyEntry,
  snapshotCluster,
} from './cluster-snapshot.ts';
import type { ClusterStore } from './cluster-store.ts';

/** After a failure, so many slots until it is tried again: ten seconds. */
const RETRY_SLOTS = 25;

export type PersisterOptions = {
  readonly kept: Pick<ClusterStore, 'append' | 'save' | 'isFull'>;
  readonly cluster: {
    readonly bank: Bank;
    readonly transactions: Pick<TransactionPipeline, 'ledger'>;
  };
  readonly played: GenesisPlan;
  /** Slots that the cluster is ahead of the wall clock, now. */
  readonly ahead: () => bigint;
  readonly log: Logger;
};

/**
 * Keeps a cluster while it runs: each slot before anybody hears of it. Where that fails the cluster goes on, it is told
 * in the log, and all of it is written as soon as that can be done.
 */
export class ClusterPersister {
  readonly #facts: PersisterOptions;
  /** Slots until what could not be kept is tried again; undefined while everything is kept. */
  #untilRetry: number | undefined;

  constructor(facts: PersisterOptions) {
    this.#facts = facts;
  }

  /** Before the slot is closed. */
  keepSlot({ slot, written, isCalled }: ClosingSlot): void {
    if (this.#untilRetry !== undefined) return;
    const entry = createJournalEntry(this.#parts(), slot, written);
    if (!isCalled && isEmptyEntry(entry)) return;
    this.#trying(() => this.#facts.kept.append(entry));
  }

  /** After it. */
  keepMore(): void {
    if (this.#untilRetry === undefined) {
      if (this.#facts.kept.isFull) this.#trying(() => this.#save());
      return;
    }
    this.#untilRetry -= 1;
    if (this.#untilRetry <= 0) this.#trying(() => this.#save());
  }

  /** Everything at once: after what no journal can tell, and at the end. */
  keepAll(): void {
    this.#trying(() => this.#save());
  }

  #save(): void {
    const { kept, played } = this.#facts;
    kept.save(snapshotCluster(this.#parts(), played));
  }

  #trying(work: () => void): void {
    const { log } = this.#facts;
    const wasBehind = this.#untilRetry !== undefined;
    try {
      work();
      this.#untilRetry = undefined;
      if (wasBehind) log.warn({}, 'the cluster is kept again');
    } catch (error) {
      this.#untilRetry = RETRY_SLOTS;
      const reason = formatError(error);
      if (!wasBehind) log.error({ reason }, 'what has landed cannot be kept');
    }
  }

  #parts() {
    const { cluster, ahead } = this.#facts;
    const { bank, transactions } = cluster;
    return { bank, ledger: transactions.ledger, ahead: ahead() };
  }
}
