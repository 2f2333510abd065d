import { parseAddress } from '#core/base/encoding/address.ts';
import { knownProgram } from '#core/views/transactions/known-programs.ts';
import type { Ran } from '#localnet/runtime/execute-instructions.ts';
import type { Processed } from '#localnet/runtime/transactions/transaction-processor.ts';

const FAILED = /^Program (\w+) failed: (?:custom program error: 0x([0-9a-f]+)|(.*))$/;

/** How a transaction ended, in short: `success`, what the cluster says, or who failed and with what. */
export const endOf = (processed: Processed): string =>
  processed.kind === 'refused' ? nameOf(processed.error) : endOfRun(processed.record);

/** Who failed is the innermost program, whose failure those who called it pass on. */
export function endOfRun({ error, logs }: Pick<Ran, 'error' | 'logs'>): string {
  if (error === undefined) return 'success';
  const found = logs.map((line) => FAILED.exec(line)).find((match) => match !== null);
  if (found === undefined || found === null) return nameOf(error);
  const [, program = '', code, words = ''] = found;
  const address = parseAddress(program);
  const name = address && knownProgram(address)?.name;
  return `${name ?? program} ${code === undefined ? words : Number.parseInt(code, 16)}`;
}

/** Some errors are an object whose only key is their name. */
const nameOf = (error: string | object): string =>
  typeof error === 'string' ? error : (Object.keys(error)[0] ?? '');
