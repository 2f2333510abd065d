import { type Static, Type } from 'typebox';
import type { DriftReport } from '../../clusters/drift-report.ts';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { describe } from '../../http/schemas/describe.ts';
import { IsoInstant, NullableString } from '../../http/schemas/primitives.ts';

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
  },
  {
    description: 'Accounts whose updates were lost, found by comparing all of state with the chain',
  },
);

export function driftStatusJson({ drift }: Pick<Cluster, 'drift'>): Static<typeof DriftStatusJson> {
  const report = drift?.report();
  if (report === undefined) return { isRunning: false, kinds: [], passes: [] };
  return { isRunning: true, kinds: kindsJson(report), passes: passesJson(report) };
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
