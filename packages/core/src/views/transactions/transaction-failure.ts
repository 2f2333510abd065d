import type { Address } from '../../base/encoding/address.ts';
import { type Call, descendantsOf } from '../../protocol/spl/transaction/call-tree.ts';
import { findFailedProgram } from '../../protocol/spl/transaction/log-lines.ts';
import type { Transaction } from '../../protocol/spl/transaction/transaction.ts';
import {
  parseTransactionError,
  type TransactionError,
} from '../../protocol/spl/transaction/transaction-error.ts';
import { findKnownProgram, type ProgramName } from './known-programs.ts';

/** Why a transaction failed, as far as it is known. */
export type TransactionFailure = {
  /** Undefined when no instruction was run. */
  readonly instructionIndex: number | undefined;
  /** The program whose failure it is: that of the instruction, or one that it called. */
  readonly programAddress: Address | undefined;
  readonly program: ProgramName | undefined;
  /** Of the program's own failures; those of the cluster have only a name. */
  readonly code: number | undefined;
  readonly name: string | undefined;
  readonly message: string | undefined;
};

export function viewFailure(error: TransactionError, transaction: Transaction): TransactionFailure {
  const place = placeOf(error);
  const call = place === undefined ? undefined : transaction.calls[place];
  return describe(error, call && failedProgram(call, transaction));
}

/** The same of a simulation, of which a node tells no calls: the log alone says which program failed. */
export function viewSimulatedFailure(
  error: unknown,
  logs: readonly string[],
): TransactionFailure | undefined {
  const parsed = parseTransactionError(error);
  if (parsed === undefined) return undefined;
  return describe(parsed, placeOf(parsed) === undefined ? undefined : findFailedProgram(logs));
}

const placeOf = (error: TransactionError): number | undefined =>
  error.kind === 'transaction' ? undefined : error.index;

function describe(
  error: TransactionError,
  programAddress: Address | undefined,
): TransactionFailure {
  const known = programAddress && findKnownProgram(programAddress);
  const code = error.kind === 'custom' ? error.code : undefined;
  const meaning = code === undefined ? undefined : known?.errorOf(code);
  return {
    instructionIndex: placeOf(error),
    programAddress,
    program: known?.name,
    code,
    name: error.kind === 'custom' ? meaning?.name : error.name,
    message: meaning?.message,
  };
}

/** The log tells it; without a log it is certain only where the instruction called nothing. */
function failedProgram(call: Call, { logs, hasInnerCalls }: Transaction): Address | undefined {
  const logged = findFailedProgram(logs);
  if (logged === undefined) {
    return hasInnerCalls && call.children.length === 0 ? call.program : undefined;
  }
  const isThere = [call, ...descendantsOf(call)].some(({ program }) => program === logged);
  return isThere ? logged : undefined;
}
