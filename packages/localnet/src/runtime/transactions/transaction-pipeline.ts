import type { ChainTime, Slot } from '@tidegate/core/base';
import type { Bank, BankView } from '../bank.ts';
import { isRecentBlockhash } from '../blockhash.ts';
import type { Executor } from './executor.ts';
import type { ReceivedTransaction } from './received-transaction.ts';
import { TransactionLedger } from './transaction-ledger.ts';
import {
  type ProcessingResult,
  type TransactionChecks,
  TransactionProcessor,
} from './transaction-processor.ts';
import type { TransactionRecord } from './transaction-record.ts';

export type PipelineOptions = {
  readonly bank: Bank;
  readonly executor: Executor;
  /** Blockhashes derive from it. */
  readonly seed: string;
};

/**
 * Applies transactions to the bank: the pending ones in each slot, and records of the executed
 * ones.
 */
export class TransactionPipeline {
  readonly ledger = new TransactionLedger();
  readonly #bank: Bank;
  readonly #processor: TransactionProcessor;
  #pending: ReceivedTransaction[] = [];

  constructor({ bank, executor, seed }: PipelineOptions) {
    this.#bank = bank;
    this.#processor = new TransactionProcessor({
      executor,
      isRecent: (blockhash, { slot }) => isRecentBlockhash(seed, blockhash, slot),
      isProcessed: (signature) => this.ledger.slotOf(signature) !== undefined,
    });
  }

  /** Queues a transaction for the next slot. As on a real cluster, a rejection is not reported. */
  submit(received: ReceivedTransaction): void {
    this.#pending.push(received);
  }

  executePending(time: ChainTime): void {
    const pending = this.#pending;
    this.#pending = [];
    for (const received of pending) this.execute(received, time);
  }

  /** Executes in the open slot, which closes at the given time. With all checks, unless some are skipped. */
  execute(
    received: ReceivedTransaction,
    time: ChainTime,
    checks?: TransactionChecks,
  ): ProcessingResult {
    const result = this.#processor.process(received, { accounts: this.#bank, time }, checks);
    if (result.kind === 'run') {
      for (const [address, account] of result.changes) this.#bank.setAccount(address, account);
      this.ledger.add(result.record);
    }
    return result;
  }

  /** Executes without effect, on the accounts of a closed slot. */
  simulate(
    received: ReceivedTransaction,
    view: BankView,
    checks: TransactionChecks,
  ): ProcessingResult {
    return this.#processor.process(received, { accounts: view, time: view.time }, checks);
  }

  rollBack(slot: Slot): readonly TransactionRecord[] {
    return this.ledger.rollBack(slot);
  }
}
