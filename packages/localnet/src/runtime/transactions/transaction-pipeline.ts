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
  /** Of the blockhashes. */
  readonly seed: string;
};

/** What happens to the bank by transactions: those that wait for the next slot, and those that were run. */
export class TransactionPipeline {
  readonly ledger = new TransactionLedger();
  readonly #bank: Bank;
  readonly #processor: TransactionProcessor;
  #waiting: ReceivedTransaction[] = [];

  constructor({ bank, executor, seed }: PipelineOptions) {
    this.#bank = bank;
    this.#processor = new TransactionProcessor({
      executor,
      isRecent: (blockhash, { slot }) => isRecentBlockhash(seed, blockhash, slot),
      wasRun: (signature) => this.ledger.find(signature) !== undefined,
    });
  }

  /** To be run in the next slot. Where it cannot be run then, nobody is told, as on any cluster. */
  submit(received: ReceivedTransaction): void {
    this.#waiting.push(received);
  }

  runWaiting(time: ChainTime): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const received of waiting) this.run(received, time);
  }

  /** In the open slot, which will be closed with that time. */
  run(received: ReceivedTransaction, time: ChainTime): ProcessingResult {
    const processed = this.#processor.process(received, { accounts: this.#bank, time });
    if (processed.kind === 'run') {
      for (const [address, account] of processed.changes) this.#bank.setAccount(address, account);
      this.ledger.add(processed.record);
    }
    return processed;
  }

  /** Without effect, on the accounts of a slot that is closed. */
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
