import type { Address, ChainTime, Slot } from '@tidegate/core/base';
import type { Bank, BankView } from '../bank.ts';
import { isRecentBlockhash } from '../blockhash.ts';
import type { Executor } from './executor.ts';
import { identifyUnsigned } from './impersonated-transaction.ts';
import type { ReceivedTransaction } from './received-transaction.ts';
import { TransactionLedger } from './transaction-ledger.ts';
import {
  type ProcessingResult,
  type TransactionChecks,
  TransactionProcessor,
} from './transaction-processor.ts';
import type { TransactionRecord } from './transaction-record.ts';
import { verifySignatures } from './verify-signatures.ts';

export type PipelineOptions = {
  readonly bank: Bank;
  readonly executor: Executor;
  /** Blockhashes derive from it. */
  readonly seed: string;
};

/** Everything that a pipeline returns to when it is restored. */
export type SavedPipeline = {
  readonly slot: Slot;
  readonly pending: readonly ReceivedTransaction[];
  readonly impersonated: readonly Address[];
};

/**
 * Applies transactions to the bank: the pending ones in each slot, and records of the executed
 * ones.
 */
export class TransactionPipeline {
  readonly ledger = new TransactionLedger();
  readonly #bank: Bank;
  readonly #executor: Executor;
  readonly #processor: TransactionProcessor;
  /** Signers whose signatures are not checked, for tests. */
  readonly #impersonated = new Set<Address>();
  readonly #listeners = new Set<() => void>();
  #pending: ReceivedTransaction[] = [];

  constructor({ bank, executor, seed }: PipelineOptions) {
    this.#bank = bank;
    this.#executor = executor;
    this.#processor = new TransactionProcessor({
      executor,
      isRecent: (blockhash, { slot }) => isRecentBlockhash(seed, blockhash, slot),
      isProcessed: (signature) => this.ledger.slotOf(signature) !== undefined,
      impersonated: this.#impersonated,
    });
  }

  hasProgram(address: Address): boolean {
    return this.#executor.hasProgram(address);
  }

  /** Whether transactions wait for the next slot. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Accepts transactions of a signer without its signature, or no longer. */
  impersonate(signer: Address, isImpersonated: boolean): void {
    if (isImpersonated) this.#impersonated.add(signer);
    else this.#impersonated.delete(signer);
  }

  /** A transaction without the signature of an impersonated payer gets one that identifies it. */
  identify(received: ReceivedTransaction): ReceivedTransaction {
    return identifyUnsigned(received, this.#impersonated);
  }

  verify(received: ReceivedTransaction): boolean {
    return verifySignatures(received, this.#impersonated);
  }

  /** Calls the listener when a transaction is queued. */
  onSubmit(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Queues a transaction for the next slot. As on a real cluster, a rejection is not reported. */
  submit(received: ReceivedTransaction): void {
    this.#pending.push(received);
    for (const listener of this.#listeners) listener();
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

  save(): SavedPipeline {
    const [pending, impersonated] = [this.#pending.slice(), [...this.#impersonated]];
    return { slot: this.#bank.slot, pending, impersonated };
  }

  restore({ slot, pending, impersonated }: SavedPipeline): void {
    this.ledger.rollBack(slot);
    this.#pending = [...pending];
    this.#impersonated.clear();
    for (const signer of impersonated) this.#impersonated.add(signer);
  }

  rollBack(slot: Slot): readonly TransactionRecord[] {
    return this.ledger.rollBack(slot);
  }
}
