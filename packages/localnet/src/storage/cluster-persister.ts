import { formatError, type Logger } from '@tidegate/core/base';
import type { ClosingSlot } from '../cluster/slot-producer.ts';
import type { GenesisPlan } from '../genesis/genesis.ts';
import type { Bank } from '../runtime/bank.ts';
import type { TransactionPipeline } from '../runtime/transactions/transaction-pipeline.ts';
import { createJournalEntry, isEmptyEntry, snapshotCluster } from './cluster-snapshot.ts';
import type { ClusterStore } from './cluster-store.ts';

/** Slots until the next attempt after a failure: ten seconds. */
const RETRY_SLOTS = 25;

export type PersisterOptions = {
  readonly store: Pick<ClusterStore, 'append' | 'save' | 'isFull'>;
  readonly cluster: {
    readonly bank: Bank;
    readonly transactions: Pick<TransactionPipeline, 'ledger'>;
  };
  readonly plan: GenesisPlan;
  /** Slots ahead of the wall clock. */
  readonly slotOffset: () => bigint;
  readonly log: Logger;
};

/**
 * Stores a running cluster: each slot before subscribers are notified. After a failure the cluster
 * keeps running, the error is logged once, and a full snapshot is saved as soon as possible.
 */
export class ClusterPersister {
  readonly #options: PersisterOptions;
  /** Slots until the next attempt; undefined while everything is stored. */
  #untilRetry: number | undefined;

  constructor(options: PersisterOptions) {
    this.#options = options;
  }

  /** Call before the slot closes. */
  persistSlot({ slot, writtenAddresses, isRequested }: ClosingSlot): void {
    if (this.#untilRetry !== undefined) return;
    const entry = createJournalEntry(this.#clusterParts(), slot, writtenAddresses);
    if (!isRequested && isEmptyEntry(entry)) return;
    this.#attempt(() => this.#options.store.append(entry));
  }

  /** Call after the slot closed. */
  saveIfDue(): void {
    if (this.#untilRetry === undefined) {
      if (this.#options.store.isFull) this.#attempt(() => this.#save());
      return;
    }
    this.#untilRetry -= 1;
    if (this.#untilRetry <= 0) this.#attempt(() => this.#save());
  }

  /** Saves everything, after changes that the journal cannot express and at the end. */
  saveSnapshot(): void {
    this.#attempt(() => this.#save());
  }

  #save(): void {
    const { store, plan } = this.#options;
    store.save(snapshotCluster(this.#clusterParts(), plan));
  }

  #attempt(work: () => void): void {
    const { log } = this.#options;
    const wasBehind = this.#untilRetry !== undefined;
    try {
      work();
      this.#untilRetry = undefined;
      if (wasBehind) log.warn({}, 'the cluster is stored again');
    } catch (error) {
      this.#untilRetry = RETRY_SLOTS;
      const reason = formatError(error);
      if (!wasBehind) log.error({ reason }, 'cannot store the cluster');
    }
  }

  #clusterParts() {
    const { cluster, slotOffset } = this.#options;
    const { bank, transactions } = cluster;
    return { bank, ledger: transactions.ledger, ahead: slotOffset() };
  }
}
