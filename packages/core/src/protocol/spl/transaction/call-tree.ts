import { type Address, parseAddress, toAddress } from '../../../base/encoding/address.ts';
import { parseInstruction } from './json-message.ts';
import {
  isAbsent,
  isJsonObject,
  malformedTransaction,
  toJsonArray,
  toJsonIndex,
  toJsonObject,
} from './json-values.ts';
import type { Message, MessageInstruction } from './message.ts';

/** A call of a program with its inner calls. */
export type Call = {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
  /** The index of the instruction in the message, then the index of each call in its caller. */
  readonly path: readonly number[];
  readonly children: readonly Call[];
};

/** A call by a program. The height is 2 for a direct call of the instruction. */
type InnerCall = MessageInstruction & { readonly stackHeight: number | undefined };

/** Above the limit of every cluster. */
const MAX_STACK_HEIGHT = 64;
const TOP = 1;

/** Builds the call tree of an instruction, in the order of execution. */
export function buildCallTree(
  index: number,
  flat: readonly [MessageInstruction, ...InnerCall[]],
  keys: readonly Address[],
): Call {
  const [top, ...inner] = flat;
  let at = 0;

  function takeCall(call: MessageInstruction, height: number, path: readonly number[]): Call {
    const children: Call[] = [];
    for (let next = inner[at]; next !== undefined; next = inner[at]) {
      const nextHeight = heightOf(next);
      if (nextHeight <= height) break;
      if (nextHeight > height + 1) throw malformedTransaction('a call has no caller');
      at++;
      children.push(takeCall(next, nextHeight, [...path, children.length]));
    }
    return { ...resolve(call, keys), path, children };
  }

  const tree = takeCall(top, TOP, [index]);
  if (at < inner.length) throw malformedTransaction('a call has no caller');
  return tree;
}

/** All descendants of a call, callers before callees. */
export function descendantsOf({ children }: Call): Call[] {
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** If the node does not report the height, the instruction is the caller. */
const heightOf = ({ stackHeight }: InnerCall): number => stackHeight ?? TOP + 1;

function resolve(
  { programIndex, accountIndexes, data }: MessageInstruction,
  keys: readonly Address[],
): Pick<Call, 'program' | 'accounts' | 'data'> {
  return {
    program: keyAt(keys, programIndex),
    accounts: accountIndexes.map((account) => keyAt(keys, account)),
    data,
  };
}

function keyAt(keys: readonly Address[], index: number): Address {
  const key = keys[index];
  if (key === undefined)
    throw malformedTransaction(
      `a call has the account index ${index}, but there are only ${keys.length} accounts`,
    );
  return key;
}

/** By the index of the instruction in the message. Each list is in the order of execution. */
type InnerCalls = ReadonlyMap<number, readonly InnerCall[]>;

/** Native programs that run without a log line. */
const SILENT: ReadonlySet<Address> = new Set([
  toAddress('Ed25519SigVerify111111111111111111111111111'),
  toAddress('KeccakSecp256k11111111111111111111111111111'),
  toAddress('Secp256r1SigVerify1111111111111111111111111'),
]);

/** Parses `innerInstructions`. Returns undefined if the node did not record them. */
export function parseInnerCalls(value: unknown, instructions: number): InnerCalls | undefined {
  if (isAbsent(value)) return undefined;
  const calls = new Map<number, InnerCall[]>();
  for (const entry of toJsonArray(value, 'innerInstructions')) {
    const group = toJsonObject(entry, 'an entry of innerInstructions');
    const index = toJsonIndex(group['index'], instructions, 'the index of inner instructions');
    if (calls.has(index))
      throw malformedTransaction(`the calls of instruction ${index} are duplicated`);
    calls.set(index, toJsonArray(group['instructions'], 'inner instructions').map(parseInnerCall));
  }
  return calls;
}

function parseInnerCall(value: unknown): InnerCall {
  const height = isJsonObject(value) ? value['stackHeight'] : undefined;
  return {
    ...parseInstruction(value),
    stackHeight: isAbsent(height)
      ? undefined
      : toJsonIndex(height, MAX_STACK_HEIGHT, 'stackHeight'),
  };
}

type Recorded = {
  readonly message: Message;
  readonly keys: readonly Address[];
  readonly logs: readonly string[];
};

/**
 * Older nodes do not report stack heights. Infers them from the log if it is complete and matches the called programs;
 * otherwise the heights stay unknown.
 */
export function inferStackHeights(
  calls: InnerCalls,
  { message, keys, logs }: Recorded,
): InnerCalls {
  const isMissing = ({ stackHeight }: InnerCall): boolean => stackHeight === undefined;
  if (![...calls.values()].some((list) => list.some(isMissing))) return calls;
  const logged = parseLoggedCalls(logs)?.values();
  if (logged === undefined) return calls;
  const takeHeight = ({ programIndex }: MessageInstruction): number | undefined => {
    const { value } = logged.next();
    return value?.program === keys[programIndex] ? value?.height : undefined;
  };
  const completed = new Map<number, InnerCall[]>();
  for (const [index, instruction] of message.instructions.entries()) {
    if (!isSilent(keys[instruction.programIndex]) && takeHeight(instruction) !== 1) return calls;
    const inner = (calls.get(index) ?? []).map((call) => ({
      ...call,
      stackHeight: takeHeight(call),
    }));
    if (inner.some(isMissing)) return calls;
    completed.set(index, inner);
  }
  return logged.next().done === true ? completed : calls;
}

const isSilent = (program: Address | undefined): boolean =>
  program !== undefined && SILENT.has(program);

/** Lines of the cluster. Lines of programs start with `Program log:` or `Program data:`. */
const INVOKE = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) invoke \[(\d{1,2})\]$/;
const FAILED = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) failed: /;
const ENDED = /^Program [1-9A-HJ-NP-Za-km-z]{32,44} (success$|failed: )/;
const CONSUMED = /^Program [1-9A-HJ-NP-Za-km-z]{32,44} consumed (\d+) of (\d+) compute units$/;
const PROGRAM_LOG = 'Program log: ';
const TRUNCATED = 'Log truncated';

type LoggedCall = { readonly program: Address; readonly height: number };

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
