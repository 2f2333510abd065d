import { type Static, Type } from 'typebox';
import type { DriftReport, SumReport } from '../../clusters/drift-report.ts';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { describe } from '../../http/schemas/describe.ts';
import {
  AddressString,
  DecimalString,
  IsoInstant,
  NullableNumber,
  NullableString,
} from '../../http/schemas/primitives.ts';

const KindDriftStatus = Type.Object({
  kind: Type.String({ description: 'Kind of accounts' }),
  source: Type.String({ description: 'Source of updates that lost them' }),
  accounts: Type.Integer({
    description: 'Accounts that differed from the chain and were put right, since the start',
  }),
  since: describe(
    NullableString,
    'Slot in which the first was found; null when all accounts of the kind have been compared since the last one',
  ),
  lastHealedAt: describe(IsoInstant, 'When the last one was put right, UTC'),
});

const DriftPassStatus = Type.Object({
  accounts: Type.Unsafe<'programs' | 'users'>({
    type: 'string',
    enum: ['programs', 'users'],
    description:
      '`programs`: markets, reserves, vaults, farms, prices; `users`: loans, stakes, shares',
  }),
  everySeconds: Type.Integer({ description: 'Time in which all of them are compared' }),
  startedAt: describe(IsoInstant, 'Start of the current pass, UTC'),
  endsAt: describe(IsoInstant, 'When the current pass will end, UTC'),
  lastEndedAt: describe(
    NullableString,
    'End of the last complete pass, UTC; null before the first',
  ),
});

const OpenSum = Type.Object({
  of: Type.Unsafe<SumReport['open'][number]['of']>({
    type: 'string',
    enum: ['debts', 'deposits', 'activeStakes', 'pendingStakes'],
    description:
      '`debts`, `deposits`: of all loans in a reserve; `activeStakes`, `pendingStakes`: of all users of a farm',
  }),
  account: describe(AddressString, 'The reserve or farm'),
  difference: Type.String({
    description:
      'What the program counts less the sum over all positions: base units of a debt, cTokens, or shares times 10^18 of a stake (base units if the farm is delegated)',
  }),
  since: describe(DecimalString, 'Slot in which it was found'),
  foundAt: describe(IsoInstant, 'When it was found, UTC'),
  comparisons: Type.Integer({
    description: 'How often all its positions were compared with the chain since',
  }),
});

const SumStatusJson = Type.Object(
  {
    waitingFor: describe(NullableString, 'What the comparison waits for; null if nothing'),
    checkedSlot: describe(NullableString, 'Slot of the last comparison; null before the first'),
    checkedAt: describe(NullableString, 'When it ended, UTC'),
    cpuMs: describe(NullableNumber, 'Time of the processor that it took, in milliseconds'),
    found: Type.Integer({ description: 'Sums that differed, since the start' }),
    open: Type.Integer({ description: 'Sums that differ' }),
    first: Type.Array(OpenSum, { description: 'The first 20 of them' }),
  },
  {
    description:
      'Sums over all loans and stakes, compared with what reserves, collateral vaults and farms count',
  },
);

export const DriftStatusJson = Type.Object(
  {
    isRunning: Type.Boolean({ description: 'Whether state is compared with the chain' }),
    kinds: Type.Array(KindDriftStatus, {
      description:
        'What differed since the start; answers that depend on an open kind have x-unproven',
    }),
    passes: Type.Array(DriftPassStatus, {
      description: 'Current comparisons; empty until state is loaded',
    }),
    sums: SumStatusJson,
  },
  {
    description: 'Accounts whose updates were lost, found by comparing all of state with the chain',
  },
);

export function driftStatusJson({ drift }: Pick<Cluster, 'drift'>): Static<typeof DriftStatusJson> {
  const report = drift?.report();
  const sums = sumsJson(report?.sums);
  if (report === undefined) return { isRunning: false, kinds: [], passes: [], sums };
  return { isRunning: true, kinds: kindsJson(report), passes: passesJson(report), sums };
}

const NO_COUNTS: SumReport['counts'] = { debts: 0, deposits: 0, activeStakes: 0, pendingStakes: 0 };

function sumsJson(sums: SumReport | undefined): Static<typeof SumStatusJson> {
  const lastPass = sums?.lastPass ?? undefined;
  const {
    waitingFor = 'the first comparison',
    found = 0,
    open = [],
    counts = NO_COUNTS,
  } = sums ?? {};
  return {
    waitingFor,
    checkedSlot: lastPass?.slot ?? null,
    checkedAt: lastPass === undefined ? null : timeOf(lastPass.endedAt),
    cpuMs: lastPass === undefined ? null : Math.round(lastPass.cpuMs),
    found,
    open: Object.values(counts).reduce((sum, count) => sum + count, 0),
    first: open.map(({ address, foundAt, ...rest }) => ({
      ...rest,
      account: address,
      foundAt: timeOf(foundAt),
    })),
  };
}

const kindsJson = ({ kinds }: DriftReport) =>
  kinds.flatMap(({ kind, accounts, open, lastHealedAt }) =>
    Object.entries(accounts).map(([source, count]) => ({
      kind,
      source,
      accounts: count,
      since: open?.since ?? null,
      lastHealedAt: timeOf(lastHealedAt),
    })),
  );

const passesJson = ({ passes }: DriftReport) =>
  passes.map(({ scope, everySeconds, startedAt, endsAt, lastEndedAt }) => ({
    accounts: scope,
    everySeconds: Math.round(everySeconds),
    startedAt: timeOf(startedAt),
    endsAt: timeOf(endsAt),
    lastEndedAt: lastEndedAt === null ? null : timeOf(lastEndedAt),
  }));

const timeOf = (ms: number): string => new Date(ms).toISOString();
