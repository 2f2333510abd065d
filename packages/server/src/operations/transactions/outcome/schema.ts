import { type Static, Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import {
  AddressString,
  ClusterNameString,
  DecimalString,
  IsoInstant,
  NullableString,
  U64String,
} from '../../../http/schemas/primitives.ts';
import { PreviewError } from '../builder/preview-schema.ts';

const nullable = <Value>(schema: object, description: string) =>
  Type.Unsafe<Value | null>({ anyOf: [schema, { type: 'null' }], description });

const SignedInteger = Type.String({ title: 'SignedInteger', pattern: '^(0|-?[1-9][0-9]*)$' });

export const SignatureParameter = Type.String({
  minLength: 64,
  maxLength: 88,
  pattern: '^[1-9A-HJ-NP-Za-km-z]{64,88}$',
  description: 'Signature of the transaction, base58',
});

export const OutcomeQuery = Type.Object({
  lastValidBlockHeight: Type.Optional(
    describe(
      U64String,
      'Of the blockhash of the transaction, as builders return it in x-last-valid-block-height. Only with it an absent transaction can be told to be pending or expired. Not for transactions with a durable nonce, which do not expire',
    ),
  ),
  env: Type.Optional(ClusterNameString),
});

const TokenBalanceChange = Type.Object(
  {
    owner: nullable<string>(AddressString, 'Owner of the accounts; null if the node has none'),
    accounts: Type.Array(AddressString, { description: 'Token accounts of the change' }),
    mint: describe(AddressString, 'Mint of the token'),
    symbol: describe(NullableString, 'Symbol of the token; null if unknown'),
    decimals: Type.Integer({ description: 'Decimals of the token' }),
    before: describe(U64String, 'Balance before, in the smallest unit of the token'),
    after: describe(U64String, 'Balance afterwards'),
    change: describe(SignedInteger, 'after minus before'),
    uiBefore: describe(DecimalString, 'Balance before, in whole tokens'),
    uiAfter: describe(DecimalString, 'Balance afterwards, in whole tokens'),
    uiChange: describe(DecimalString, 'Change in whole tokens'),
  },
  { title: 'TokenBalanceChange' },
);

const SolBalanceChange = Type.Object(
  {
    account: describe(AddressString, 'The account'),
    tokenOwner: nullable<string>(AddressString, 'Owner of a token account; null for others'),
    beforeLamports: nullable<string>(
      U64String,
      'Lamports before; null if the node does not return them exactly (above 2^53)',
    ),
    afterLamports: nullable<string>(U64String, 'Lamports afterwards; null as before'),
    changeLamports: nullable<string>(SignedInteger, 'Change; null if one of them is'),
  },
  { title: 'SolBalanceChange' },
);

const statuses = ['pending', 'landed', 'failed', 'expired', 'unknown'] as const;

export const TransactionOutcome = Type.Object(
  {
    signature: Type.String({ description: 'Signature of the transaction, base58' }),
    status: Type.Unsafe<(typeof statuses)[number]>({
      type: 'string',
      enum: [...statuses],
      description:
        'pending: not confirmed yet and not expired; landed: executed; failed: executed, and only the fee was taken; expired: in no block and in none to come; unknown: not found, and it cannot be told why',
    }),
    meaning: Type.String({ description: 'What the status means, in a sentence or two' }),
    confirmation: Type.Unsafe<'processed' | 'confirmed' | 'finalized' | null>({
      enum: ['processed', 'confirmed', 'finalized', null],
      description: 'How far the cluster has agreed on its block; null if it is in none',
    }),
    isFinal: Type.Boolean({
      description:
        'Whether the status stays. A landed or failed transaction is final once its block is finalized: until then the block can be rolled back',
    }),
    slot: nullable<string>(U64String, 'Slot of its block; null if it is in none'),
    blockTime: nullable<string>(IsoInstant, 'Time of its block; null if the node has none'),
    blockHeight: describe(
      U64String,
      'Height of a confirmed block of the node that was asked; the transaction was looked for afterwards',
    ),
    lastValidBlockHeight: nullable<string>(U64String, 'As requested; null if it was omitted'),
    feePayer: nullable<string>(AddressString, 'Address that paid the fee'),
    feeLamports: nullable<string>(U64String, 'Fee that was taken, in lamports of SOL'),
    computeUnits: nullable<string>(U64String, 'Compute units that were used'),
    failure: nullable<Static<typeof PreviewError>>(PreviewError, 'Why it failed; null otherwise'),
    tokenChanges: nullable<Static<typeof TokenBalanceChange>[]>(
      Type.Array(TokenBalanceChange),
      'Changes of token balances by owner and mint; null if they are not known',
    ),
    solChanges: nullable<Static<typeof SolBalanceChange>[]>(
      Type.Array(SolBalanceChange),
      'Changes of the SOL of accounts, with fee and rent; null if they are not known',
    ),
    missing: describe(
      NullableString,
      'What is missing of the details of a transaction in a block, and why; null if nothing is',
    ),
  },
  { title: 'TransactionOutcome' },
);
