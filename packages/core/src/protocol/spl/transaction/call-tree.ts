import type { Address } from '../../../base/encoding/address.ts';
import { malformedTransaction } from './json-values.ts';
import type { MessageInstruction } from './message.ts';

/** One call of a program, and the calls that it made. */
export type Call = {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
  /** The place of the instruction in the message, then the place of each call in its caller. */
  readonly path: readonly number[];
  readonly children: readonly Call[];
};

/** A call that a program made. The height is 2 for what the instruction itself called. */
export type InnerCall = MessageInstruction & { readonly stackHeight: number | undefined };

/** More than any cluster allows. */
export const MAX_STACK_HEIGHT = 64;
const TOP = 1;

/** An instruction and everything below it, in the order of execution. */
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

/** Every call below this one, callers before what they called. */
export function descendantsOf({ children }: Call): Call[] {
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Where a node does not tell the height, the call counts as made by the instruction itself. */
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
    throw malformedTransaction(`a call names the account ${index} of ${keys.length}`);
  return key;
}
