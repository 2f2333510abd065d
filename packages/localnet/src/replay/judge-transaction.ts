import type { Address } from '@tidegate/core/base';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import {
  findFailedProgram,
  type TransactionError as RecordedError,
} from '@tidegate/core/protocol/spl/transaction';
import type { TransactionError } from '../runtime/transaction-errors.ts';
import type { ReplayRun, TransactionRun } from './execute-transaction.ts';
import { findProtocolProgram } from './protocol-accounts.ts';
import type { ReadableTransaction } from './readable-transaction.ts';
import type { FieldDifference, NotProvableReason, TransactionProof } from './slot-proof.ts';

type Judgement = Pick<TransactionProof, 'verdict' | 'reason' | 'detail' | 'differences'>;

/** Compares the outcome of a transaction with that of its replay: success, errors of the programs, and token balances. */
export function judgeTransaction(
  readable: ReadableTransaction,
  run: TransactionRun,
): TransactionProof {
  const { signature, index, calls, transaction } = readable;
  const hasFailed = transaction.error !== undefined;
  return { signature, index, calls, hasFailed, ...judge(readable, run) };
}

function judge(readable: ReadableTransaction, run: TransactionRun): Judgement {
  if (run.kind === 'notReplayable') return notProvable(run.reason, run.detail);
  const { error } = readable.transaction;
  if (error !== undefined) return judgeFailure(readable, error, run);
  return run.error === undefined
    ? judgeBalances(readable, run)
    : judgeUnexpectedError(run, run.error);
}

/** The replay fails, and the transaction did not. */
function judgeUnexpectedError(run: ReplayRun, error: TransactionError): Judgement {
  const expected = errorText(error);
  if (!isProtocol(run.failedProgram)) return notProvable('runtimeError', expected);
  if (customCode(error) === UNKNOWN_TO_MODEL) return notProvable('unknownInstruction', expected);
  return differing(run, errorDifference(expected, NO_ERROR));
}

/** Anchor's code for an instruction that a program does not have. */
const UNKNOWN_TO_MODEL = 101;

function judgeFailure(
  readable: ReadableTransaction,
  recorded: RecordedError,
  run: ReplayRun,
): Judgement {
  const [expected, actual] = [
    run.error === undefined ? NO_ERROR : errorText(run.error),
    recordedText(recorded),
  ];
  if (expected === actual) return { verdict: 'proven' };
  const failed = failedProgram(readable, recorded);
  if (recorded.kind !== 'custom' || !isProtocol(failed)) return notProvable('runtimeError', actual);
  const isRuntime = run.error !== undefined && !isProtocol(run.failedProgram);
  if (isRuntime) return notProvable('runtimeError', expected);
  if (run.error !== undefined && customCode(run.error) === UNKNOWN_TO_MODEL) {
    return notProvable('unknownInstruction', expected);
  }
  return differing(run, errorDifference(expected, actual));
}

function judgeBalances({ transaction }: ReadableTransaction, run: ReplayRun): Judgement {
  const differences = transaction.postTokenBalances.flatMap(({ account, amount }) => {
    const after = run.account(account);
    const ours = after && tokenAccount.matches(after) ? tokenAccount.view(after).amount : undefined;
    if (ours === amount) return [];
    const expected = ours === undefined ? 'no token account' : `${ours}`;
    return [{ field: `balance of ${account}`, offset: AMOUNT_AT, expected, actual: `${amount}` }];
  });
  return differences.length === 0 ? { verdict: 'proven' } : differing(run, ...differences);
}

const AMOUNT_AT = tokenAccount.offsets.amount;
const NO_ERROR = 'success';

function differing(run: ReplayRun, ...differences: readonly FieldDifference[]): Judgement {
  const assumed = [...run.assumed, ...run.assumedMints];
  if (assumed.length > 0) return notProvable('accountUnknown', assumed.join(', '));
  return { verdict: 'differing', differences };
}

const notProvable = (reason: NotProvableReason, detail: string): Judgement => ({
  verdict: 'notProvable',
  reason,
  detail,
});

const errorDifference = (expected: string, actual: string): FieldDifference => ({
  field: 'error',
  offset: 0,
  expected,
  actual,
});

const isProtocol = (program: Address | undefined): boolean =>
  program !== undefined && findProtocolProgram(program) !== undefined;

/** From the log. Without one it is known only if the instruction called nothing. */
function failedProgram(
  { transaction }: ReadableTransaction,
  error: RecordedError,
): Address | undefined {
  const logged = findFailedProgram(transaction.logs);
  if (logged !== undefined || error.kind === 'transaction') return logged;
  const call = transaction.calls[error.index];
  return call?.children.length === 0 ? call.program : undefined;
}

function customCode(error: TransactionError): number | undefined {
  if (typeof error === 'string' || !('InstructionError' in error)) return undefined;
  const [, reason] = error.InstructionError;
  return typeof reason === 'string' ? undefined : reason.Custom;
}

function errorText(error: TransactionError): string {
  if (typeof error === 'string') return error;
  if (!('InstructionError' in error)) return JSON.stringify(error);
  const [index, reason] = error.InstructionError;
  return instructionText(index, typeof reason === 'string' ? reason : `${reason.Custom}`);
}

function recordedText(error: RecordedError): string {
  if (error.kind === 'transaction') return error.name;
  return instructionText(error.index, error.kind === 'custom' ? `${error.code}` : error.name);
}

const instructionText = (index: number, reason: string): string =>
  `instruction ${index}: ${reason}`;
