import { parseAddress } from '#core/base/encoding/address.ts';
import { findKnownProgram } from '#core/views/transactions/known-programs.ts';
import type { ExecutionResult } from '#localnet/runtime/execute-instructions.ts';
import type { ProcessingResult } from '#localnet/runtime/transactions/transaction-processor.ts';

const FAILED = /^Program (\w+) failed: (?:custom program error: 0x([0-9a-f]+)|(.*))$/;

/**
 * Short outcome of a transaction: `success`, the transaction error, or the failed program and its
 * error.
 */
export const transactionOutcome = (result: ProcessingResult): string =>
  result.kind === 'rejected' ? errorName(result.error) : runOutcome(result.record);

/** Names the innermost failed program; its callers only propagate the failure. */
export function runOutcome({ error, logs }: Pick<ExecutionResult, 'error' | 'logs'>): string {
  if (error === undefined) return 'success';
  const failure = logs.map((line) => FAILED.exec(line)).find((match) => match !== null);
  if (failure === undefined || failure === null) return errorName(error);
  const [, program = '', code, message = ''] = failure;
  const address = parseAddress(program);
  const name = address && findKnownProgram(address)?.name;
  return `${name ?? program} ${code === undefined ? message : Number.parseInt(code, 16)}`;
}

/** Some errors are an object with the name as its only key. */
const errorName = (error: string | object): string =>
  typeof error === 'string' ? error : (Object.keys(error)[0] ?? '');
