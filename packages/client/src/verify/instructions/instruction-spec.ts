/** A program, whichever deployment of it is called. */
export type ProgramName =
  | 'klend'
  | 'kvault'
  | 'farms'
  | 'token'
  | 'associatedToken'
  | 'system'
  | 'computeBudget';

type AccountSpec = {
  readonly name: string;
  readonly isWritable: boolean;
  readonly isSigner: boolean;
  /** An absent optional account is the address of the called program, read-only. */
  readonly isOptional: boolean;
};

export type ArgumentType = 'u8' | 'u32' | 'u64' | 'u128' | 'pubkey';

export type InstructionSpec = {
  readonly program: ProgramName;
  readonly name: string;
  /** The first bytes of the data, as hexadecimal digits. */
  readonly prefix: string;
  readonly args: readonly { readonly name: string; readonly type: ArgumentType }[];
  readonly accounts: readonly AccountSpec[];
  /** Whether further accounts may follow. */
  readonly hasRemaining: boolean;
};

type ShortSpec = {
  /** `name:type`, separated by spaces. */
  readonly args?: string;
  /** `name`, or `name:flags` with `w` writable, `s` signer, `?` optional. */
  readonly accounts: string;
  readonly hasRemaining?: boolean;
};

export const defineInstruction = (
  [program, name, prefix]: readonly [ProgramName, string, string],
  { args = '', accounts, hasRemaining = false }: ShortSpec,
): InstructionSpec => ({
  program,
  name,
  prefix,
  args: words(args).map((text) => {
    const [argument = '', type = ''] = text.split(':');
    return { name: argument, type: toArgumentType(type) };
  }),
  accounts: words(accounts).map((text) => {
    const [account = '', flags = ''] = text.split(':');
    return {
      name: account,
      isWritable: flags.includes('w'),
      isSigner: flags.includes('s'),
      isOptional: flags.includes('?'),
    };
  }),
  hasRemaining,
});

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

export const ARGUMENT_SIZES: Readonly<Record<ArgumentType, number>> = {
  u8: 1,
  u32: 4,
  u64: 8,
  u128: 16,
  pubkey: 32,
};

const isArgumentType = (type: string): type is ArgumentType => type in ARGUMENT_SIZES;
const toArgumentType = (type: string): ArgumentType => (isArgumentType(type) ? type : 'u64');
