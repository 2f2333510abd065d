import type { Address } from '../../../base/encoding/address.ts';
import { malformedTransaction } from './json-values.ts';
import type { MessageInstruction } from './message.ts';

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
export type InnerCall = MessageInstruction & { readonly stackHeight: number | undefined };

/** Above the limit of every cluster. */
export const MAX_STACK_HEIGHT = 64;
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
