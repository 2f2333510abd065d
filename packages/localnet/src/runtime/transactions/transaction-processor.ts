import type { Address, ChainTime, ClusterAccount } from '@tidegate/core/base';
import type { AccountReader } from '../transaction-accounts.ts';
import type { TransactionError } from '../transaction-errors.ts';
import type { Executor, TransactionResult } from './executor.ts';
import { feePayerError } from './fee-payer-error.ts';
import { type LoadedTransaction, loadTransaction } from './load-transaction.ts';
import type { ReceivedTransaction } from './received-transaction.ts';
import { tokenBalances } from './token-balances.ts';
import type { TransactionRecord } from './transaction-record.ts';
import { verifySignatures } from './verify-signatures.ts';

export type ProcessorOptions = {
  readonly executor: Executor;
  /** Whether a blockhash is young enough in a slot. */
  readonly isRecent: (blockhash: string, time: ChainTime) => boolean;
  /** Whether a transaction of that name has been run. */
  readonly wasRun: (signature: string) => boolean;
};

/** What a transaction is run on, and when. */
export type ExecutionContext = { readonly accounts: AccountReader; readonly time: ChainTime };

export type TransactionChecks = {
  /** A simulation may do without. */
  readonly signatures: boolean;
  readonly blockhash: boolean;
};

/** Run, though maybe failed, or not taken at all. */
export type ProcessingResult =
  | { readonly kind: 'run'; readonly record: TransactionRecord; readonly changes: Changes }
  | { readonly kind: 'refused'; readonly error: TransactionError };

type Changes = ReadonlyMap<Address, ClusterAccount | undefined>;

const ALL_CHECKS: TransactionChecks = { signatures: true, blockhash: true };

/** Checks and runs transactions as a node does; what becomes of the changes is the caller's affair. */
export class TransactionProcessor {
  readonly #facts: ProcessorOptions;

  constructor(facts: ProcessorOptions) {
    this.#facts = facts;
  }

  process(
    received: ReceivedTransaction,
    ground: ExecutionContext,
    checks = ALL_CHECKS,
  ): ProcessingResult {
    const loaded = this.#load(received, ground, checks);
    if (!isLoaded(loaded)) return { kind: 'refused', error: loaded };
    const executed = this.#facts.executor.execute(loaded, ground);
    return { kind: 'run', record: toRecord(loaded, executed, ground), changes: executed.changes };
  }

  #load(
    received: ReceivedTransaction,
    { accounts, time }: ExecutionContext,
    checks: TransactionChecks,
  ): LoadedTransaction | TransactionError {
    const { executor, isRecent, wasRun } = this.#facts;
    if (checks.signatures && !verifySignatures(received)) return 'SignatureFailure';
    if (checks.blockhash) {
      if (!isRecent(received.message.recentBlockhash, time)) return 'BlockhashNotFound';
      if (wasRun(received.signature)) return 'AlreadyProcessed';
    }
    const loaded = loadTransaction(received, accounts, time.slot);
    if (!isLoaded(loaded)) return loaded;
    const unpaid = feePayerError(loaded, accounts);
    if (unpaid !== undefined) return unpaid;
    const unknown = loaded.instructions.find((each) => !executor.hasProgram(each.programAddress));
    if (unknown === undefined) return loaded;
    const isThere = accounts.account(unknown.programAddress) !== undefined;
    return isThere ? 'InvalidProgramForExecution' : 'ProgramAccountNotFound';
  }
}

const isLoaded = (loaded: LoadedTransaction | TransactionError): loaded is LoadedTransaction =>
  typeof loaded === 'object' && 'wire' in loaded;

function toRecord(
  loaded: LoadedTransaction,
  { changes, ...ran }: TransactionResult,
  { accounts: bank, time }: ExecutionContext,
): TransactionRecord {
  const { signature, signatures, wire, message, accounts, fee } = loaded;
  const before = (address: Address) => bank.account(address);
  const after = (address: Address) =>
    changes.has(address) ? changes.get(address) : before(address);
  const lamports = (find: typeof before) =>
    accounts.map(({ address }) => find(address)?.lamports ?? 0n);
  return {
    ...ran,
    ...{ signature, signatures, time, wire, message, accounts, fee },
    loaded: loaded.loaded,
    preBalances: lamports(before),
    postBalances: lamports(after),
    preTokenBalances: tokenBalances(accounts, before),
    postTokenBalances: tokenBalances(accounts, after),
  };
}
