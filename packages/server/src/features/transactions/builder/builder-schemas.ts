import { type Static, Type } from 'typebox';
import {
  AddressString,
  Base64String,
  ClusterNameString,
} from '../../../http/schemas/primitives.ts';
import { Preview } from './preview-schema.ts';

const MAX_COMPUTE_UNITS = 1_400_000;

/** Not in the contract. Adds compute budget instructions to the start of the transaction. */
export const computeBudgetFields = {
  computeUnitLimit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_COMPUTE_UNITS,
      description: 'Compute unit limit of the transaction',
    }),
  ),
  computeUnitPrice: Type.Optional(
    Type.Unsafe<number | string>({
      type: ['integer', 'string'],
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Priority fee in micro-lamports per compute unit, as a number or a string',
    }),
  ),
};

const ComputeBudgetObject = Type.Object(computeBudgetFields);

export type ComputeBudgetFields = Static<typeof ComputeBudgetObject>;

export const BuilderQuery = Type.Object({
  env: Type.Optional(ClusterNameString),
  preview: Type.Optional(Type.Boolean({ default: false, description: 'Also return a simulation' })),
});

const InstructionAccount = Type.Object(
  {
    address: AddressString,
    role: Type.String({
      'x-known-values': ['READONLY', 'WRITABLE', 'READONLY_SIGNER', 'WRITABLE_SIGNER'],
    }),
    signer: Type.Optional(Type.Object({ address: AddressString })),
  },
  { title: 'InstructionAccount' },
);

const InstructionEntry = Type.Object(
  {
    programAddress: AddressString,
    accounts: Type.Array(InstructionAccount),
    data: Type.Union([Base64String, Type.Null()]),
  },
  { title: 'InstructionEntry' },
);

const LookupTables = Type.Unsafe<Record<string, readonly string[]>>({
  type: 'object',
  propertyNames: { pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' },
  additionalProperties: Type.Array(AddressString),
});

export const InstructionBundle = Type.Object(
  {
    instructions: Type.Array(InstructionEntry),
    lutsByAddress: LookupTables,
    preview: Type.Optional(Preview),
  },
  { title: 'InstructionBundle' },
);

export const UnsignedTransaction = Type.Object(
  { transaction: Base64String, preview: Type.Optional(Preview) },
  { title: 'UnsignedTransaction' },
);
