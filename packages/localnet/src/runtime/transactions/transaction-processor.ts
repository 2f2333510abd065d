import type { Address, ChainTime, ClusterAccount } from '@tidegate/core/base';
import { rentExemptLamports, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { AccountReader } from '../transaction-accounts.ts';
import type { TransactionError } from '../transaction-errors.ts';
import type { ExecutionContext, Executor, TransactionResult } from './executor.ts';
import { type LoadedTransaction, loadTransaction } from './load-transaction.ts';
import type { ReceivedTransaction } from './received-transaction.ts';
import { tokenBalances } from './token-balances.ts';
import type { TransactionRecord } from './transaction-record.ts';
import { verifySignatures } from './verify-signatures.ts';

type ProcessorOptions = {
  readonly executor: Executor;
  /** Whether the blockhash is still valid in the slot. */
  readonly isRecent: (blockhash: string, time: ChainTime) => boolean;
  /** Whether a transaction with that signature was already executed. */
  readonly isProcessed: (signature: string) => boolean;
  /** Signers whose signatures are not checked. */
  readonly impersonated?: ReadonlySet<Address>;
};

export type TransactionChecks = {
  /** A simulation may skip them. */
  readonly signatures: boolean;
  readonly blockhash: boolean;
};

/** Executed, successfully or not, or rejected. */
export type ProcessingResult =
  | { readonly kind: 'run'; readonly record: TransactionRecord; readonly changes: Changes }
  | { readonly kind: 'rejected'; readonly error: TransactionError };

type Changes = ReadonlyMap<Address, ClusterAccount | undefined>;

const ALL_CHECKS: TransactionChecks = { signatures: true, blockhash: true };

/** Checks and executes transactions as a node does. The caller applies the changes. */
export class TransactionProcessor {
  readonly #options: ProcessorOptions;

  constructor(options: ProcessorOptions) {
    this.#options = options;
  }

  process(
    received: ReceivedTransaction,
    context: ExecutionContext,
    checks = ALL_CHECKS,
  ): ProcessingResult {
    const loaded = this.#load(received, context, checks);
    if (!isLoaded(loaded)) return { kind: 'rejected', error: loaded };
    const result = this.#options.executor.execute(loaded, context);
    return { kind: 'run', record: toRecord(loaded, result, context), changes: result.changes };
  }

  #load(
    received: ReceivedTransaction,
    { accounts, time }: ExecutionContext,
    checks: TransactionChecks,
  ): LoadedTransaction | TransactionError {
    const { executor, isRecent, isProcessed, impersonated } = this.#options;
    if (checks.signatures && !verifySignatures(received, impersonated)) return 'SignatureFailure';
    if (checks.blockhash) {
      if (!isRecent(received.message.recentBlockhash, time)) return 'BlockhashNotFound';
      if (isProcessed(received.signature)) return 'AlreadyProcessed';
    }
    const loaded = loadTransaction(received, accounts, time.slot);
    if (!isLoaded(loaded)) return loaded;
    const payerError = feePayerError(loaded, accounts);
    if (payerError !== undefined) return payerError;
    const unknownProgram = loaded.instructions.find(
      (instruction) => !executor.hasProgram(instruction.programAddress),
    );
    if (unknownProgram === undefined) return loaded;
    const isAccount = accounts.account(unknownProgram.programAddress) !== undefined;
    return isAccount ? 'InvalidProgramForExecution' : 'ProgramAccountNotFound';
  }
}

const isLoaded = (loaded: LoadedTransaction | TransactionError): loaded is LoadedTransaction =>
  typeof loaded === 'object' && 'wire' in loaded;

function toRecord(
  loaded: LoadedTransaction,
  { changes, ...execution }: TransactionResult,
  { accounts: bank, time }: ExecutionContext,
): TransactionRecord {
  const { signature, signatures, wire, message, accounts, fee } = loaded;
  const before = (address: Address) => bank.account(address);
  const after = (address: Address) =>
    changes.has(address) ? changes.get(address) : before(address);
  const lamports = (find: typeof before) =>
    accounts.map(({ address }) => find(address)?.lamports ?? 0n);
  return {
    ...execution,
    signature,
    signatures,
    time,
    wire,
    message,
    accounts,
    fee,
    loaded: loaded.loaded,
    preBalances: lamports(before),
    postBalances: lamports(after),
    preTokenBalances: tokenBalances(accounts, before),
    postTokenBalances: tokenBalances(accounts, after),
  };
}

/** Undefined if the first signer can pay the fee. */
function feePayerError(
  { accounts, fee }: Pick<LoadedTransaction, 'accounts' | 'fee'>,
  bank: AccountReader,
): TransactionError | undefined {
  const [payer] = accounts;
  const account = payer && bank.account(payer.address);
  if (account === undefined || account.lamports === 0n) return 'AccountNotFound';
  if (account.owner !== SYSTEM_PROGRAM || account.data.length > 0) return 'InvalidAccountForFee';
  const remaining = account.lamports - fee;
  if (remaining < 0n) return 'InsufficientFundsForFee';
  if (remaining === 0n || remaining >= rentExemptLamports(0)) return undefined;
  return { InsufficientFundsForRent: { account_index: 0 } };
}
