import { Type } from 'typebox';
import { AddressText, NullableText, U64Text } from '../../../http/schemas/primitives.ts';

const AccountRole = Type.Unsafe<'READONLY' | 'WRITABLE' | 'READONLY_SIGNER' | 'WRITABLE_SIGNER'>({
  type: 'string',
  enum: ['READONLY', 'WRITABLE', 'READONLY_SIGNER', 'WRITABLE_SIGNER'],
});

const DecodedAccount = Type.Object(
  {
    name: Type.Unsafe<string | null>({
      ...NullableText,
      description: 'As the program calls it; null for further accounts',
    }),
    address: AddressText,
    role: AccountRole,
    label: Type.Unsafe<string | null>({
      ...NullableText,
      description: 'What it is, in words, where that is known',
    }),
  },
  { title: 'DecodedAccount' },
);

const DecodedInstruction = Type.Object(
  {
    program: Type.Object({ address: AddressText, name: NullableText, label: NullableText }),
    name: NullableText,
    title: Type.String({ description: 'One sentence' }),
    arguments: Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'By name; numbers of 64 bits and more as text',
    }),
    accounts: Type.Array(DecodedAccount),
    data: Type.String({ description: 'base64' }),
    problem: Type.Unsafe<string | null>({
      ...NullableText,
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
    feePayer: AddressText,
    signers: Type.Array(
      Type.Object({ address: AddressText, label: NullableText, signed: Type.Boolean() }),
    ),
    recentBlockhash: Type.String(),
    size: Type.Integer({ description: 'Bytes' }),
    sizeLimit: Type.Integer(),
    fee: Type.Object({
      baseLamports: U64Text,
      priorityLamports: Type.Unsafe<string>({ ...U64Text, description: 'At most' }),
    }),
    lookupTables: Type.Array(
      Type.Object({
        address: AddressText,
        writable: Type.Array(AddressText),
        readonly: Type.Array(AddressText),
      }),
    ),
    instructions: Type.Array(DecodedInstruction),
    warnings: Type.Array(DecodedWarning),
  },
  { title: 'DecodedTransaction' },
);
