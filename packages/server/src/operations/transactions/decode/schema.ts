import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
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
    address: describe(AddressString, 'Address of the account'),
    role: describe(AccountRole, 'Whether the account is writable and whether it signs'),
    label: Type.Unsafe<string | null>({
      ...NullableString,
      description: 'Description of the account; null if unknown',
    }),
  },
  { title: 'DecodedAccount' },
);

const DecodedInstruction = Type.Object(
  {
    program: describe(
      Type.Object({
        address: describe(AddressString, 'Address of the program'),
        name: describe(NullableString, 'Name of the program; null if unknown'),
        label: describe(NullableString, 'Description of the program; null if unknown'),
      }),
      'Program of the instruction',
    ),
    name: describe(NullableString, 'Name of the instruction; null if unknown'),
    title: Type.String({ description: 'One sentence that describes the instruction' }),
    arguments: Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'Arguments by name; integers of 64 bits and more are strings',
    }),
    accounts: describe(Type.Array(DecodedAccount), 'Accounts of the instruction in order'),
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
    code: Type.String({ description: 'Code of the warning' }),
    message: Type.String({ description: 'What to check before signing' }),
    instruction: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Index of the instruction; null if it concerns the whole transaction',
    }),
  },
  { title: 'DecodedWarning' },
);

export const DecodedTransaction = Type.Object(
  {
    version: describe(
      Type.Unsafe<'legacy' | 0>({ enum: ['legacy', 0] }),
      'Version of the transaction message',
    ),
    feePayer: describe(AddressString, 'Address that pays the fee'),
    signers: describe(
      Type.Array(
        Type.Object({
          address: describe(AddressString, 'Address of the signer'),
          label: describe(NullableString, 'Description of the signer; null if unknown'),
          signed: Type.Boolean({
            description: 'Whether a signature is present; it is not verified',
          }),
        }),
      ),
      'Required signers in order',
    ),
    recentBlockhash: Type.String({ description: 'Recent blockhash of the transaction' }),
    size: Type.Integer({ description: 'Size in bytes' }),
    sizeLimit: Type.Integer({ description: 'Maximum size of a transaction in bytes' }),
    fee: Type.Object(
      {
        baseLamports: describe(U64String, 'Signature fee in lamports of SOL'),
        priorityLamports: describe(U64String, 'Maximum priority fee in lamports of SOL'),
      },
      { description: 'Fee of the transaction' },
    ),
    lookupTables: describe(
      Type.Array(
        Type.Object({
          address: describe(AddressString, 'Address of the lookup table'),
          writable: describe(Type.Array(AddressString), 'Writable accounts from the table'),
          readonly: describe(Type.Array(AddressString), 'Read-only accounts from the table'),
        }),
      ),
      'Lookup tables that the transaction uses',
    ),
    instructions: describe(Type.Array(DecodedInstruction), 'Instructions in order of execution'),
    warnings: describe(Type.Array(DecodedWarning), 'What to check before signing'),
  },
  { title: 'DecodedTransaction' },
);
