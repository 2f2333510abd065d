import type { Address } from '../../base/encoding/address.ts';
import {
  type Call,
  descendantsOf,
  findFailedProgram,
  hasUsedAllUnits,
} from '../../protocol/spl/transaction/call-tree.ts';
import type { Transaction } from '../../protocol/spl/transaction/transaction.ts';
import {
  errorMeaning,
  parseTransactionError,
  type TransactionError,
} from '../../protocol/spl/transaction/transaction-error.ts';
import { findKnownProgram, type ProgramName } from './known-programs.ts';

/** Why a transaction failed. */
export type TransactionFailure = {
  /** Undefined if no instruction was executed. */
  readonly instructionIndex: number | undefined;
  /** The failed program: that of the instruction, or one that it called. */
  readonly programAddress: Address | undefined;
  readonly program: ProgramName | undefined;
  /** The program's error code; errors of the cluster only have a name. */
  readonly code: number | undefined;
  readonly name: string | undefined;
  readonly message: string | undefined;
  /** Only of simulations and outcomes: whether a program had no compute units left. */
  readonly isOutOfUnits?: boolean;
};

const STOPPED = 'ProgramFailedToComplete';

export function viewFailure(error: TransactionError, transaction: Transaction): TransactionFailure {
  const index = instructionIndexOf(error);
  const call = index === undefined ? undefined : transaction.calls[index];
  return toFailure(error, call && failedProgram(call, transaction));
}

/** The failure of an executed transaction, of which its log says whether it used up its compute units. */
export function viewExecutedFailure(
  error: TransactionError,
  transaction: Transaction,
): TransactionFailure {
  return withReasonOfStop(viewFailure(error, transaction), transaction.logs);
}

/**
 * The failure of a simulation. A node does not return its calls, so only the log names the program.
 */
export function viewSimulatedFailure(
  error: unknown,
  logs: readonly string[],
): TransactionFailure | undefined {
  const parsed = parseTransactionError(error);
  if (parsed === undefined) return undefined;
  const failure = toFailure(
    parsed,
    instructionIndexOf(parsed) === undefined ? undefined : findFailedProgram(logs),
  );
  return withReasonOfStop(failure, logs);
}

function withReasonOfStop(
  failure: TransactionFailure,
  logs: readonly string[],
): TransactionFailure {
  if (failure.name !== STOPPED) return failure;
  const isOutOfUnits = hasUsedAllUnits(logs);
  const message = isOutOfUnits ? 'The program used up its compute units' : 'The program panicked';
  return { ...failure, message, isOutOfUnits };
}

const instructionIndexOf = (error: TransactionError): number | undefined =>
  error.kind === 'transaction' ? undefined : error.index;

function toFailure(
  error: TransactionError,
  programAddress: Address | undefined,
): TransactionFailure {
  const known = programAddress && findKnownProgram(programAddress);
  const code = error.kind === 'custom' ? error.code : undefined;
  const meaning = code === undefined ? undefined : known?.errorOf(code);
  return {
    instructionIndex: instructionIndexOf(error),
    programAddress,
    program: known?.name,
    code,
    name: error.kind === 'custom' ? meaning?.name : error.name,
    message: meaning?.message ?? errorMeaning(error),
  };
}

/** From the log. Without a log it is known only if the instruction called nothing. */
function failedProgram(call: Call, { logs, hasInnerCalls }: Transaction): Address | undefined {
  const logged = findFailedProgram(logs);
  if (logged === undefined) {
    return hasInnerCalls && call.children.length === 0 ? call.program : undefined;
  }
  const isCalled = [call, ...descendantsOf(call)].some(({ program }) => program === logged);
  return isCalled ? logged : undefined;
}
