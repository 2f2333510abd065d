import type {
  Address,
  DecodedInstruction,
  InstructionAccountRoles,
  InstructionCodec,
  ListLayout,
  Shape,
} from '@tidegate/core/base';
import { hasCode } from '../../errors/index.ts';
import type { JsonFields } from '../json.ts';

/** An instruction in a node's `jsonParsed` form. */
type ParsedCall = { readonly type: string; readonly info: JsonFields };

/** Parser of one instruction. */
export type InstructionParser = {
  readonly discriminator: Uint8Array;
  /** Undefined if the instruction is malformed: too few accounts or truncated data. */
  parse(program: Address, accounts: readonly Address[], data: Uint8Array): ParsedCall | undefined;
};

type ParserOptions<
  A extends InstructionAccountRoles,
  S extends Shape,
  L extends ListLayout | undefined,
> = {
  readonly type: string;
  /** Names of the accounts, in order. */
  readonly accounts: readonly string[];
  /** Name of the signer that follows: of a single signer, or of a multisig whose signers follow. */
  readonly signer?: readonly [single: string, multisig: string];
  readonly rest?: (decoded: DecodedInstruction<A, S, L>) => JsonFields;
};

export function createInstructionParser<
  A extends InstructionAccountRoles,
  S extends Shape,
  L extends ListLayout | undefined,
>(codec: InstructionCodec<A, S, L>, options: ParserOptions<A, S, L>): InstructionParser {
  const decode = (program: Address, accounts: readonly Address[], data: Uint8Array) => {
    try {
      return codec.decode(program, { data, accounts });
    } catch (error) {
      if (hasCode(error, 'MALFORMED_DATA')) return undefined;
      throw error;
    }
  };
  return {
    discriminator: codec.discriminator,
    parse(program, accounts, data) {
      const decoded = decode(program, accounts, data);
      if (decoded === undefined) return undefined;
      const entries = options.accounts.map((name, i) => [name, accounts[i]] as const);
      const info = {
        ...Object.fromEntries(entries),
        ...options.rest?.(decoded),
        ...(options.signer &&
          signerFields(options.signer, accounts.slice(options.accounts.length))),
      };
      return { type: options.type, info };
    },
  };
}

function signerFields(
  [single, multisig]: readonly [single: string, multisig: string],
  [signer, ...signers]: readonly Address[],
): JsonFields {
  return signers.length === 0 ? { [single]: signer } : { [multisig]: signer, signers };
}
