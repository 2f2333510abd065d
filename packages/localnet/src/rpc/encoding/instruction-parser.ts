import {
  type Address,
  type DecodedInstruction,
  hasCode,
  type InstructionAccountRoles,
  type InstructionCodec,
  type ListLayout,
  type Shape,
} from '@tidegate/core/base';
import type { JsonFields } from '../json.ts';

/** An instruction in words, as nodes call it and its parts. */
type ParsedCall = { readonly type: string; readonly info: JsonFields };

/** One instruction that a node has words for. */
export type InstructionParser = {
  readonly start: Uint8Array;
  /** Undefined where the call is not a proper one: too few accounts, or data that is cut short. */
  read(program: Address, accounts: readonly Address[], data: Uint8Array): ParsedCall | undefined;
};

type Words<A extends InstructionAccountRoles, S extends Shape, L extends ListLayout | undefined> = {
  readonly type: string;
  /** What a node calls the accounts, in their order. */
  readonly accounts: readonly string[];
  /** What it calls the account behind those, which signs: alone, or as one of several who sign for it. */
  readonly signer?: readonly [alone: string, several: string];
  readonly rest?: (found: DecodedInstruction<A, S, L>) => JsonFields;
};

export function createInstructionParser<
  A extends InstructionAccountRoles,
  S extends Shape,
  L extends ListLayout | undefined,
>(codec: InstructionCodec<A, S, L>, words: Words<A, S, L>): InstructionParser {
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
): JsonFields {
  return signers.length === 0 ? { [alone]: signer } : { [several]: signer, signers };
}
