import { type Address, parseAddress } from '../../../base/encoding/address.ts';

/** Lines of the cluster. Lines of programs start with `Program log:` or `Program data:`. */
const INVOKE = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) invoke \[(\d{1,2})\]$/;
const FAILED = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) failed: /;
const ENDED = /^Program [1-9A-HJ-NP-Za-km-z]{32,44} (success$|failed: )/;
const CONSUMED = /^Program [1-9A-HJ-NP-Za-km-z]{32,44} consumed (\d+) of (\d+) compute units$/;
const PROGRAM_LOG = 'Program log: ';
const TRUNCATED = 'Log truncated';

export type LoggedCall = { readonly program: Address; readonly height: number };

/** All calls in the order of execution. Undefined if the log is truncated. */
export function parseLoggedCalls(logs: readonly string[]): LoggedCall[] | undefined {
  if (logs.includes(TRUNCATED)) return undefined;
  return logs.flatMap((line) => {
    const [, id = '', height = ''] = INVOKE.exec(line) ?? [];
    const program = parseAddress(id);
    return program === undefined ? [] : [{ program, height: Number(height) }];
  });
}

/** The lines that each call itself wrote, in the order of execution. Undefined if the log is truncated. */
export function parseCallLogs(
  logs: readonly string[],
): (LoggedCall & { readonly lines: readonly string[] })[] | undefined {
  if (logs.includes(TRUNCATED)) return undefined;
  const calls: (LoggedCall & { readonly lines: string[] })[] = [];
  const open: string[][] = [];
  for (const line of logs) {
    const [, id = '', height = ''] = INVOKE.exec(line) ?? [];
    const program = parseAddress(id);
    if (program !== undefined) {
      const lines: string[] = [];
      calls.push({ program, height: Number(height), lines });
      open.push(lines);
    } else if (ENDED.test(line)) {
      open.pop();
    } else if (line.startsWith(PROGRAM_LOG)) {
      open.at(-1)?.push(line.slice(PROGRAM_LOG.length));
    }
  }
  return calls;
}

/** The innermost program that failed. Its line precedes those of its callers. */
export function findFailedProgram(logs: readonly string[]): Address | undefined {
  for (const line of logs) {
    const id = FAILED.exec(line)?.[1];
    if (id !== undefined) return parseAddress(id);
  }
  return undefined;
}

/** Whether a program used all compute units that it had. */
export const hasUsedAllUnits = (logs: readonly string[]): boolean =>
  logs.some((line) => {
    const [, used, available] = CONSUMED.exec(line) ?? [];
    return used !== undefined && used === available;
  });
