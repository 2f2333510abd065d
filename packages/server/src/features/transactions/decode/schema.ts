import { Type } from 'typebox';
import { AddressString, NullableString, U64String } from '../../../http/schemas/primitives.ts';

const AccountRole = Type.Unsafe<'READONLY' | 'WRITABLE' | 'READONLY_SIGNER' | 'WRITABLE_SIGNER'>({
  type: 'string',
  enum: ['READONLY', 'WRITABLE', 'READONLY_SIGNER', 'WRITABLE_SIGNER'],
});

const DecodedAccount = Type.Object(
  {
    name: Type.Unsafe<string | null>({
      ...NullableString,
      description: 'Name in the program’s IDL; null for remaining accounts',
    }),
    address: AddressString,
    role: AccountRole,
    label: Type.Unsafe<string | null>({
      ...NullableString,
      description: 'Description of the account; null if unknown',
    }),
  },
  { title: 'DecodedAccount' },
);

const DecodedInstruction = Type.Object(
  {
    program: Type.Object({ address: AddressString, name: NullableString, label: NullableString }),
    name: NullableString,
    title: Type.String({ description: 'One sentence that describes the instruction' }),
    arguments: Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'Arguments by name; integers of 64 bits and more are strings',
    }),
    accounts: Type.Array(DecodedAccount),
    data: Type.String({ description: 'Instruction data in base64' }),
    problem: Type.Unsafe<string | null>({
      ...NullableString,
      description: 'Why the instruction could not be decoded; null if it was',
    }),
  },
  { title: 'DecodedInstruction' },
);

const DecodedWarning = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    instruction: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Index of the instruction; null if it concerns the whole transaction',
    }),
  },
  { title: 'DecodedWarning' },
);

export const DecodedTransaction = Type.Object(
  {
    version: Type.Unsafe<'legacy' | 0>({ enum: ['legacy', 0] }),
    feePayer: AddressString,
    signers: Type.Array(
      Type.Object({ address: AddressString, label: NullableString, signed: Type.Boolean() }),
    ),
    recentBlockhash: Type.String(),
    size: Type.Integer({ description: 'Size in bytes' }),
    sizeLimit: Type.Integer(),
    fee: Type.Object({
      baseLamports: U64String,
      priorityLamports: Type.Unsafe<string>({ ...U64String, description: 'Upper bound' }),
    }),
    lookupTables: Type.Array(
      Type.Object({
        address: AddressString,
        writable: Type.Array(AddressString),
        readonly: Type.Array(AddressString),
      }),
    ),
    instructions: Type.Array(DecodedInstruction),
    warnings: Type.Array(DecodedWarning),
  },
  { title: 'DecodedTransaction' },
);
