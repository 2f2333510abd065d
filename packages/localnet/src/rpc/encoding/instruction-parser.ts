import {
  type Address,
  type DecodedCall,
  hasCode,
  type InstructionCodec,
  type List,
  type Shape,
  type Slots,
} from '@tidegate/core/base';
import type { JsonMembers } from '../json.ts';

/** An instruction in words, as nodes call it and its parts. */
type ParsedCall = { readonly type: string; readonly info: JsonMembers };

/** One instruction that a node has words for. */
export type CallReader = {
  readonly start: Uint8Array;
  /** Undefined where the call is not a proper one: too few accounts, or data that is cut short. */
  read(program: Address, accounts: readonly Address[], data: Uint8Array): ParsedCall | undefined;
};

type Words<A extends Slots, S extends Shape, L extends List | undefined> = {
  readonly type: string;
  /** What a node calls the accounts, in their order. */
  readonly accounts: readonly string[];
  /** What it calls the account behind those, which signs: alone, or as one of several who sign for it. */
  readonly signer?: readonly [alone: string, several: string];
  readonly rest?: (found: DecodedCall<A, S, L>) => JsonMembers;
};

export function callReader<A extends Slots, S extends Shape, L extends List | undefined>(
  codec: InstructionCodec<A, S, L>,
  words: Words<A, S, L>,
): CallReader {
  const decode = (program: Address, accounts: readonly Address[], data: Uint8Array) => {
    try {
      return codec.decode(program, { data, accounts });
    } catch (error) {
      if (hasCode(error, 'MALFORMED_DATA')) return undefined;
      throw error;
    }
  };
  return {
    start: codec.discriminator,
    read(program, accounts, data) {
      const found = decode(program, accounts, data);
      if (found === undefined) return undefined;
      const named = words.accounts.map((name, i) => [name, accounts[i]] as const);
      const info = {
        ...Object.fromEntries(named),
        ...words.rest?.(found),
        ...(words.signer && signerOf(words.signer, accounts.slice(words.accounts.length))),
      };
      return { type: words.type, info };
    },
  };
}

function signerOf(
  [alone, several]: readonly [alone: string, several: string],
  [signer, ...signers]: readonly Address[],
): JsonMembers {
  return signers.length === 0 ? { [alone]: signer } : { [several]: signer, signers };
}
