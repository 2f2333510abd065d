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
      description: 'As the program calls it; null for further accounts',
    }),
    address: AddressString,
    role: AccountRole,
    label: Type.Unsafe<string | null>({
      ...NullableString,
      description: 'What it is, in words, where that is known',
    }),
  },
  { title: 'DecodedAccount' },
);

const DecodedInstruction = Type.Object(
  {
    program: Type.Object({ address: AddressString, name: NullableString, label: NullableString }),
    name: NullableString,
    title: Type.String({ description: 'One sentence' }),
    arguments: Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'By name; numbers of 64 bits and more as text',
    }),
    accounts: Type.Array(DecodedAccount),
    data: Type.String({ description: 'base64' }),
    problem: Type.Unsafe<string | null>({
      ...NullableString,
      description: 'Why it cannot be read; null where it can',
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
      description: 'Which one it is about, from 0; null for all of it',
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
    size: Type.Integer({ description: 'Bytes' }),
    sizeLimit: Type.Integer(),
    fee: Type.Object({
      baseLamports: U64String,
      priorityLamports: Type.Unsafe<string>({ ...U64String, description: 'At most' }),
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
