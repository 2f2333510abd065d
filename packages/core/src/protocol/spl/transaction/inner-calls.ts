import { type Address, toAddress } from '../../../base/encoding/address.ts';
import { type InnerCall, MAX_STACK_HEIGHT } from './call-tree.ts';
import { parseInstruction } from './json-message.ts';
import {
  isAbsent,
  isJsonObject,
  malformedTransaction,
  toJsonArray,
  toJsonIndex,
  toJsonObject,
} from './json-values.ts';
import { parseLoggedCalls } from './log-lines.ts';
import type { Message, MessageInstruction } from './message.ts';

/** By the index of the instruction in the message. Each list is in the order of execution. */
export type InnerCalls = ReadonlyMap<number, readonly InnerCall[]>;

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
