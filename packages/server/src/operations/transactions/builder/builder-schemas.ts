import { type Static, Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
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
    address: describe(AddressString, 'Address of the account'),
    role: describe(
      Type.String({
        'x-known-values': ['READONLY', 'WRITABLE', 'READONLY_SIGNER', 'WRITABLE_SIGNER'],
      }),
      'Whether the account is writable and whether it signs',
    ),
    signer: describe(
      Type.Optional(Type.Object({ address: describe(AddressString, 'Address of the signer') })),
      'Present if the account signs',
    ),
  },
  { title: 'InstructionAccount' },
);

const InstructionEntry = Type.Object(
  {
    programAddress: describe(AddressString, 'Address of the program'),
    accounts: describe(Type.Array(InstructionAccount), 'Accounts of the instruction in order'),
    data: describe(
      Type.Union([Base64String, Type.Null()]),
      'Instruction data, base64; null if there is none',
    ),
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
    instructions: describe(Type.Array(InstructionEntry), 'Instructions in order of execution'),
    lutsByAddress: describe(
      LookupTables,
      'Complete lookup tables by address, in the order of the table',
    ),
    preview: describe(
      Type.Optional(Preview),
      'Simulation of the transaction; only with preview=true',
    ),
  },
  { title: 'InstructionBundle' },
);

export const UnsignedTransaction = Type.Object(
  {
    transaction: describe(
      Base64String,
      'Unsigned version 0 transaction with an empty signature, base64',
    ),
    preview: describe(
      Type.Optional(Preview),
      'Simulation of the transaction; only with preview=true',
    ),
  },
  { title: 'UnsignedTransaction' },
);

/** A plan always has its previews. */
export const PlanQuery = Type.Object({ env: Type.Optional(ClusterNameString) });

export const UnsignedTransactions = Type.Object(
  {
    transactions: Type.Array(
      Type.Object(
        {
          transaction: describe(
            Base64String,
            'Unsigned version 0 transaction with an empty signature, base64',
          ),
          preview: describe(Preview, 'Its effect on the state after the transactions before it'),
        },
        { title: 'PlannedTransaction' },
      ),
      { description: 'In the order in which they must be sent, each after the one before' },
    ),
  },
  { title: 'UnsignedTransactions' },
);
