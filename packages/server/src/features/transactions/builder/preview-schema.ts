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
      description: 'Index of the instruction; null if none ran or if it is unknown',
    }),
  },
  { title: 'PreviewError' },
);

const TokenChange = Type.Object(
  {
    mint: AddressString,
    symbol: NullableString,
    decimals: Type.Integer(),
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
    summary: Type.String({ description: 'One sentence that describes the transaction' }),
    steps: Type.Array(
      Type.Object({ program: AddressString, name: Type.String(), why: Type.String() }),
      { description: 'One per instruction' },
    ),
    creates: Type.Array(
      Type.Object({ address: AddressString, what: Type.String(), rentLamports: U64String }),
    ),
    closes: Type.Array(
      Type.Object({ address: AddressString, what: Type.String(), refundLamports: U64String }),
    ),
    rentLamports: Type.Unsafe<string>({
      ...U64String,
      description: 'Rent of all created accounts, paid by the wallet',
    }),
    pays: Type.Array(PlannedMove),
    receives: Type.Array(PlannedMove),
    notes: Type.Array(Type.String()),
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
    success: Type.Boolean(),
    error: orNull(PreviewError),
    slot: Type.Unsafe<string>({ ...U64String, description: 'Slot of the simulation' }),
    computeUnits: NullableNumber,
    feeLamports: Type.Unsafe<string>({
      ...U64String,
      description: 'Signature fee plus the maximum priority fee',
    }),
    sizeBytes: Type.Integer(),
    sizeLimit: Type.Integer(),
    lookupTables: Type.Array(AddressString),
    expiry: Type.Object({ blockhash: Type.String(), lastValidBlockHeight: U64String }),
    solChangeLamports: Type.Unsafe<string>({
      ...LamportsChange,
      description: 'Change of the wallet’s SOL balance, including the fee',
    }),
    solChangeWithoutFeeLamports: LamportsChange,
    tokenChanges: Type.Array(TokenChange, {
      description: 'Changes of the wallet’s token accounts',
    }),
    plan: TransactionPlan,
    loan: orNull(
      Type.Object(
        { before: orNull(LoanReport), after: orNull(LoanReport) },
        {
          description:
            'Lending only. `before` is null if there is no loan yet, `after` if the loan is closed or the transaction fails',
        },
      ),
    ),
  },
  { title: 'Preview' },
);
