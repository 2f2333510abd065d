import { type TSchema, Type } from 'typebox';
import {
  AddressString,
  DecimalString,
  NullableNumber,
  NullableString,
  U64String,
} from '../../../http/schemas/primitives.ts';
import { LoanReport } from '../../loan-report/loan-report-schema.ts';

const LamportsChange = Type.String({ title: 'SignedInteger', pattern: '^(0|-?[1-9][0-9]*)$' });

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const PreviewError = Type.Object(
  {
    program: NullableString,
    programAddress: orNull(AddressString),
    code: NullableNumber,
    name: NullableString,
    message: NullableString,
    instructionIndex: Type.Unsafe<number | null>({
      ...NullableNumber,
      description: 'From 0; null where no instruction was run, or where that is not known',
    }),
  },
  { title: 'PreviewError' },
);

const TokenChange = Type.Object(
  {
    mint: AddressString,
    symbol: NullableString,
    decimals: Type.Integer(),
    change: Type.Unsafe<string>({ ...LamportsChange, description: 'In smallest units' }),
    uiChange: Type.Unsafe<string>({ ...DecimalString, description: 'In whole tokens' }),
  },
  { title: 'TokenChange' },
);

const PlannedMove = Type.Object(
  {
    mint: AddressString,
    symbol: NullableString,
    decimals: Type.Integer(),
    amount: U64String,
    uiAmount: DecimalString,
    certainty: Type.Unsafe<'exactly' | 'at most' | 'at least' | 'about'>({
      type: 'string',
      enum: ['exactly', 'at most', 'at least', 'about'],
    }),
  },
  { title: 'PlannedMove' },
);

const TransactionPlan = Type.Object(
  {
    summary: Type.String({ description: 'One sentence' }),
    steps: Type.Array(
      Type.Object({ program: AddressString, name: Type.String(), why: Type.String() }),
      { description: 'One for each instruction' },
    ),
    creates: Type.Array(
      Type.Object({ address: AddressString, what: Type.String(), rentLamports: U64String }),
    ),
    closes: Type.Array(
      Type.Object({ address: AddressString, what: Type.String(), refundLamports: U64String }),
    ),
    rentLamports: Type.Unsafe<string>({
      ...U64String,
      description: 'For all that is created, paid by the wallet',
    }),
    pays: Type.Array(PlannedMove),
    receives: Type.Array(PlannedMove),
    notes: Type.Array(Type.String()),
  },
  { title: 'TransactionPlan' },
);

/** What a transaction would do now. */
export const Preview = Type.Object(
  {
    simulated: Type.Boolean({
      description: 'Whether the cluster has run it; else the figures are of our own model',
    }),
    reason: Type.Unsafe<string | null>({
      ...NullableString,
      description: 'Why it was not simulated',
    }),
    success: Type.Boolean(),
    error: orNull(PreviewError),
    slot: Type.Unsafe<string>({ ...U64String, description: 'That it was run or counted for' }),
    computeUnits: NullableNumber,
    feeLamports: Type.Unsafe<string>({
      ...U64String,
      description: 'For the signature, and at most for the priority that is asked for',
    }),
    sizeBytes: Type.Integer(),
    sizeLimit: Type.Integer(),
    lookupTables: Type.Array(AddressString),
    expiry: Type.Object({ blockhash: Type.String(), lastValidBlockHeight: U64String }),
    solChangeLamports: Type.Unsafe<string>({
      ...LamportsChange,
      description: 'Of the wallet, with the fee',
    }),
    solChangeWithoutFeeLamports: LamportsChange,
    tokenChanges: Type.Array(TokenChange, { description: 'Of the wallet’s token accounts' }),
    plan: TransactionPlan,
    loan: orNull(
      Type.Object(
        { before: orNull(LoanReport), after: orNull(LoanReport) },
        {
          description:
            'Of lending: `before` is null where there is no loan yet, `after` where it is closed or the transaction fails',
        },
      ),
    ),
  },
  { title: 'Preview' },
);
