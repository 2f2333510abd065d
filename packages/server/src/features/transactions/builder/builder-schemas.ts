import { type Static, Type } from 'typebox';
import {
  AddressString,
  AmountOrAllString,
  AmountString,
  Base64String,
  ClusterNameString,
} from '../../../http/schemas/primitives.ts';
import { Preview } from './preview-schema.ts';

const MAX_COMPUTE_UNITS = 1_400_000;

/** Beyond the contract: in front of everything else, where it is asked for. */
const budget = {
  computeUnitLimit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_COMPUTE_UNITS,
      description: 'Compute units that the transaction may use',
    }),
  ),
  computeUnitPrice: Type.Optional(
    Type.Unsafe<number | string>({
      type: ['integer', 'string'],
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Priority fee: millionths of a lamport for each compute unit, as a number or as text',
    }),
  ),
};

const place = { wallet: AddressString, market: AddressString, reserve: AddressString };

export const LendingActionRequest = Type.Object(
  { ...place, amount: AmountString, ...budget },
  { title: 'LendingActionRequest' },
);

export const LendingExitRequest = Type.Object(
  { ...place, amount: AmountOrAllString, ...budget },
  { title: 'LendingExitRequest' },
);

export const VaultDepositRequest = Type.Object(
  { wallet: AddressString, kvault: AddressString, amount: AmountString, ...budget },
  { title: 'VaultDepositRequest' },
);

export const VaultWithdrawRequest = Type.Object(
  { wallet: AddressString, kvault: AddressString, amount: AmountOrAllString, ...budget },
  { title: 'VaultWithdrawRequest' },
);

const ofVault = 'Rewards for the shares of this vault';
const ofMarket = 'Rewards for the plain loan of the wallet in this market';

export const FarmClaimRequest = Type.Object(
  {
    wallet: AddressString,
    kvault: Type.Optional(Type.Unsafe<string>({ ...AddressString, description: ofVault })),
    market: Type.Optional(Type.Unsafe<string>({ ...AddressString, description: ofMarket })),
    reserve: Type.Optional(
      Type.Unsafe<string>({ ...AddressString, description: 'Of one reserve of the market alone' }),
    ),
    ...budget,
  },
  { title: 'FarmClaimRequest' },
);

export const BuilderQuery = Type.Object({
  env: Type.Optional(ClusterNameString),
  preview: Type.Optional(
    Type.Boolean({ default: false, description: 'Tell beside it what it would do now' }),
  ),
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

export type ComputeBudgetFields = Pick<
  Static<typeof FarmClaimRequest>,
  'computeUnitLimit' | 'computeUnitPrice'
>;
