import { Type } from 'typebox';
import type { ProofReport } from '../../clusters/proof-report.ts';
import { describe } from '../../http/schemas/describe.ts';
import {
  ClusterNameString,
  IsoInstant,
  NullableNumber,
  NullableString,
} from '../../http/schemas/primitives.ts';

export const ProofQuery = Type.Object({ env: Type.Optional(ClusterNameString) });

const counts = {
  proven: Type.Integer({ description: 'The replay left the same bytes' }),
  differing: Type.Integer({ description: 'The replay left other bytes' }),
  notProvable: Type.Record(Type.String(), Type.Integer(), {
    description: 'What could not be replayed, by reason; the guide to the proof explains them',
  }),
};

const Counts = Type.Object(counts, { title: 'ProofCounts' });

const TransactionCounts = Type.Object(
  {
    observed: Type.Integer({ description: 'Transactions of the programs that were seen' }),
    notTried: Type.Integer({ description: 'Those outside of the sample' }),
    ...counts,
    coverage: describe(
      NullableNumber,
      'Percent of the observed transactions that are proven or differ; null if none was observed',
    ),
  },
  { title: 'ProofTransactionCounts' },
);

const Difference = Type.Object(
  {
    address: Type.String({ description: 'Account, or signature of the transaction' }),
    slot: Type.String({ description: 'Slot of the transaction' }),
    field: Type.String({ description: 'Field of the account, or of the outcome' }),
    expected: Type.String({ description: 'Value that this server computes' }),
    actual: Type.String({ description: 'Value on the cluster' }),
  },
  { title: 'ProofDifference' },
);

const NullableDifference = Type.Union([Difference, Type.Null()]);

const subject = {
  program: Type.String({ description: 'klend, kvault or farms' }),
  instruction: Type.String({
    description: 'Name of the instruction; `accrual` if only interest was checked',
  }),
  kind: Type.String({
    description: 'Kind of account, or `transaction` for its error and its balances of tokens',
  }),
};

const Row = Type.Object(
  {
    ...subject,
    release: Type.String({ description: 'Release whose rules were applied' }),
    hour: describe(Counts, 'In the last hour'),
    day: describe(Counts, 'In the last day'),
    sinceStart: describe(Counts, 'Since the start of the server'),
    lastProvenSlot: describe(NullableString, 'Slot of the last proof; null before the first'),
    lastProvenAt: Type.Union([IsoInstant, Type.Null()], {
      description: 'Time of the last proof, UTC; null before the first',
    }),
    worst: describe(NullableDifference, 'The largest difference since the start; null if none'),
  },
  { title: 'ProofRow' },
);

const CounterexampleJson = Type.Object(
  {
    id: Type.String({ description: 'Name of its file, for `tidegate proof`' }),
    subjects: Type.Array(Type.Object(subject), { description: 'What differs' }),
    releases: Type.Record(Type.String(), Type.String(), {
      description: 'Programs with the releases whose rules were applied',
    }),
    slot: Type.String({ description: 'Slot of the transactions' }),
    foundAt: describe(IsoInstant, 'When it was found, UTC'),
    difference: describe(NullableDifference, 'The first difference'),
    explanation: describe(NullableString, 'Why it does not count any more; null if it does'),
  },
  { title: 'Counterexample' },
);

export const ProofJson = Type.Object(
  {
    env: describe(ClusterNameString, 'Name of the cluster'),
    state: Type.Unsafe<ProofReport['state']>({
      type: 'string',
      enum: ['off', 'waiting', 'running'],
      description: '`waiting`: nothing was replayed yet',
    }),
    transactionsSeen: Type.Boolean({
      description: 'Whether all transactions are seen. If not, only interest is checked',
    }),
    slot: describe(
      NullableString,
      'Everything up to this slot was replayed or left out; null before the first',
    ),
    startedAt: Type.Union([IsoInstant, Type.Null()], {
      description: 'Since when this server proves, UTC; null if it is off',
    }),
    cpuBudgetPercent: Type.Number({ description: 'PROOF_CPU_PERCENT' }),
    cpuSeconds: Type.Number({ description: 'CPU time of replays since the start' }),
    releases: Type.Record(Type.String(), Type.String(), {
      description: 'Programs with the releases whose rules are applied now',
    }),
    transactions: Type.Object(
      {
        hour: describe(TransactionCounts, 'In the last hour'),
        day: describe(TransactionCounts, 'In the last day'),
        sinceStart: describe(TransactionCounts, 'Since the start of the server'),
      },
      { description: 'Transactions: each is proven if its outcome and all its accounts are' },
    ),
    rows: Type.Array(Row, { description: 'Accounts and outcomes by instruction' }),
    counterexamples: Type.Array(CounterexampleJson, {
      description: 'Stored slots that differ, the newest first',
    }),
  },
  { title: 'Proof' },
);
