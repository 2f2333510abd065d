import { parseAddress } from '#core/base/encoding/address.ts';
import { findKnownProgram } from '#core/views/transactions/known-programs.ts';
import type { ExecutionResult } from '#localnet/runtime/execute-instructions.ts';
import type { ProcessingResult } from '#localnet/runtime/transactions/transaction-processor.ts';

const FAILED = /^Program (\w+) failed: (?:custom program error: 0x([0-9a-f]+)|(.*))$/;

/** How a transaction ended, in short: `success`, what the cluster says, or who failed and with what. */
export const transactionOutcome = (processed: ProcessingResult): string =>
  processed.kind === 'rejected' ? nameOf(processed.error) : runOutcome(processed.record);

/** Who failed is the innermost program, whose failure those who called it pass on. */
export function runOutcome({ error, logs }: Pick<ExecutionResult, 'error' | 'logs'>): string {
  if (error === undefined) return 'success';
  const found = logs.map((line) => FAILED.exec(line)).find((match) => match !== null);
  if (found === undefined || found === null) return nameOf(error);
  const [, program = '', code, words = ''] = found;
  const address = parseAddress(program);
  const name = address && findKnownProgram(address)?.name;
  return `${name ?? program} ${code === undefined ? words : Number.parseInt(code, 16)}`;
}

/** Some errors are an object whose only key is their name. */
const nameOf = (error: string | object): string =>
  typeof error === 'string' ? error : (Object.keys(error)[0] ?? '');
