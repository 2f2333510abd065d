import { type TSchema, Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import {
  AddressString,
  DecimalString,
  NullableNumber,
  NullableString,
  U64String,
} from '../../../http/schemas/primitives.ts';
import { LoanReport } from '../../../support/loans/loan-report-schema.ts';

const LamportsChange = Type.String({ title: 'SignedInteger', pattern: '^(0|-?[1-9][0-9]*)$' });

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const described = (description: string) => describe(NullableString, description);

const FailureFigures = Type.Object(
  {
    unit: Type.Unsafe<'sol' | 'token' | 'share' | 'usd' | 'ratio' | 'seconds' | 'count'>({
      type: 'string',
      enum: ['sol', 'token', 'share', 'usd', 'ratio', 'seconds', 'count'],
      description: 'Unit of the figures: SOL and tokens are whole tokens',
    }),
    account: Type.Unsafe<string | null>({
      ...orNull(AddressString),
      description: 'The account that has too little, or whose limit applies',
    }),
    mint: describe(orNull(AddressString), 'Mint of the token; null if the unit is not a token'),
    symbol: describe(NullableString, 'Symbol of the token; null if unknown'),
    needed: described('What the transaction uses, would reach, or must at least have'),
    available: described('What there is to use, or for a minimum what the amount comes to'),
    missing: described('needed minus available'),
    limit: described('The configured limit of the rule'),
    until: described('Time (ISO 8601) from which the rule does not apply any more'),
    slot: Type.Unsafe<string>({ ...U64String, description: 'Slot of the figures' }),
  },
  { title: 'FailureFigures' },
);

export const PreviewError = Type.Object(
  {
    program: describe(NullableString, 'Name of the program that failed; null if unknown'),
    programAddress: describe(
      orNull(AddressString),
      'Address of the program that failed; null if unknown',
    ),
    code: describe(NullableNumber, 'Error code of the program; null if there is none'),
    name: Type.String({ description: 'Name of the error: the program’s, or the cluster’s' }),
    message: Type.String({ description: 'What is wrong, with the figures' }),
    action: Type.String({ description: 'What to do about it' }),
    figures: describe(
      orNull(FailureFigures),
      'Figures of the failed check; null if there are none',
    ),
    maxAmount: described('The largest amount that the programs accept now, in whole tokens'),
    suggestedAmount: described(
      'An amount below maxAmount that they accept a minute later as well, in whole tokens: it leaves room for interest, and for each price to move by 0.5 % against the loan. 0 if there is no room; null where maxAmount is',
    ),
    instructionIndex: Type.Unsafe<number | null>({
      ...NullableNumber,
      description: 'Index of the instruction; null if none ran or if it is unknown',
    }),
  },
  { title: 'PreviewError' },
);

const TokenChange = Type.Object(
  {
    mint: describe(AddressString, 'Mint of the token'),
    symbol: describe(NullableString, 'Symbol of the token; null if unknown'),
    decimals: Type.Integer({ description: 'Decimals of the token' }),
    change: Type.Unsafe<string>({
      ...LamportsChange,
      description: 'In the smallest unit of the token',
    }),
    uiChange: Type.Unsafe<string>({ ...DecimalString, description: 'In whole tokens' }),
  },
  { title: 'TokenChange' },
);

const PlannedMove = Type.Object(
  {
    mint: describe(AddressString, 'Mint of the token'),
    symbol: describe(NullableString, 'Symbol of the token; null if unknown'),
    decimals: Type.Integer({ description: 'Decimals of the token' }),
    amount: describe(U64String, 'Amount in lamports of the token'),
    uiAmount: describe(DecimalString, 'Amount in whole tokens'),
    certainty: describe(
      Type.Unsafe<'exactly' | 'at most' | 'at least' | 'about'>({
        type: 'string',
        enum: ['exactly', 'at most', 'at least', 'about'],
      }),
      'How exact the amount is before execution',
    ),
  },
  { title: 'PlannedMove' },
);

const TransactionPlan = Type.Object(
  {
    summary: Type.String({ description: 'One sentence that describes the transaction' }),
    steps: Type.Array(
      Type.Object({
        program: describe(AddressString, 'Address of the program'),
        name: Type.String({ description: 'Name of the instruction' }),
        why: Type.String({ description: 'What the instruction is for' }),
      }),
      { description: 'One per instruction' },
    ),
    creates: describe(
      Type.Array(
        Type.Object({
          address: describe(AddressString, 'Address of the account'),
          what: Type.String({ description: 'Kind of account' }),
          rentLamports: describe(U64String, 'Rent in lamports of SOL'),
        }),
      ),
      'Accounts that the transaction creates',
    ),
    closes: describe(
      Type.Array(
        Type.Object({
          address: describe(AddressString, 'Address of the account'),
          what: Type.String({ description: 'Kind of account' }),
          refundLamports: describe(U64String, 'Refunded rent in lamports of SOL'),
        }),
      ),
      'Accounts that the transaction closes',
    ),
    rentLamports: Type.Unsafe<string>({
      ...U64String,
      description: 'Rent of all created accounts, paid by the wallet',
    }),
    pays: describe(Type.Array(PlannedMove), 'Tokens that leave the wallet'),
    receives: describe(Type.Array(PlannedMove), 'Tokens that the wallet receives'),
    notes: describe(Type.Array(Type.String()), 'What the user should know before signing'),
  },
  { title: 'TransactionPlan' },
);

export const Preview = Type.Object(
  {
    simulated: Type.Boolean({
      description:
        'Whether the cluster simulated the transaction; if not, the result is computed locally',
    }),
    reason: Type.Unsafe<string | null>({
      ...NullableString,
      description: 'Why the cluster did not simulate it',
    }),
    success: Type.Boolean({ description: 'Whether the transaction succeeds' }),
    error: describe(orNull(PreviewError), 'Why the transaction fails; null if it succeeds'),
    slot: Type.Unsafe<string>({ ...U64String, description: 'Slot of the simulation' }),
    computeUnits: describe(NullableNumber, 'Compute units used; null if unknown'),
    feeLamports: Type.Unsafe<string>({
      ...U64String,
      description: 'Signature fee plus the maximum priority fee',
    }),
    sizeBytes: Type.Integer({ description: 'Size of the transaction in bytes' }),
    sizeLimit: Type.Integer({ description: 'Maximum size of a transaction in bytes' }),
    lookupTables: describe(Type.Array(AddressString), 'Lookup tables that the transaction uses'),
    expiry: describe(
      Type.Object({
        blockhash: Type.String({ description: 'Recent blockhash of the transaction' }),
        lastValidBlockHeight: describe(
          U64String,
          'Last block height at which the blockhash is valid',
        ),
      }),
      'Until when the transaction can be sent',
    ),
    solChangeLamports: Type.Unsafe<string>({
      ...LamportsChange,
      description: 'Change of the wallet’s SOL balance, including the fee',
    }),
    solChangeWithoutFeeLamports: describe(
      LamportsChange,
      'Change of the SOL balance of the wallet without the fee, in lamports',
    ),
    tokenChanges: Type.Array(TokenChange, {
      description: 'Changes of the wallet’s token accounts',
    }),
    plan: describe(TransactionPlan, 'What the transaction does, step by step'),
    loan: describe(
      orNull(
        Type.Object({
          before: describe(
            orNull(LoanReport),
            'Loan before the transaction; null if there is none yet',
          ),
          after: describe(
            orNull(LoanReport),
            'Loan after the transaction; null if it is closed or the transaction fails',
          ),
        }),
      ),
      'Effect on the loan; null if the transaction is not a lending transaction',
    ),
  },
  { title: 'Preview' },
);
