import type { ClusterSource } from '../../chain/cluster-source.ts';
import type { Config } from '../../cli/settings/settings.ts';
import { type DriftReader, type DriftReport, driftReasons } from '../../clusters/drift-report.ts';
import type { UnprovenKinds } from '../../clusters/unproven-kinds.ts';
import {
  DriftCheck,
  type DriftCheckOptions,
  type DriftTiming,
} from '../../indexer/drift/drift-check.ts';
import type { DriftStatus } from '../../indexer/drift/drift-tally.ts';
import { SumCheck } from '../../indexer/sums/sum-check.ts';
import { sumReportOf } from './sum-report.ts';

export type DriftSettings = Partial<
  Pick<Config, 'driftCheckSeconds' | 'driftCheckUsersSeconds'>
> & {
  /** Overrides the settings, for tests. */
  readonly timing?: { readonly drift?: DriftTiming };
};

type DriftParts = Pick<DriftCheckOptions, 'state' | 'followed' | 'clock' | 'log'> & {
  readonly source: ClusterSource;
  readonly unproven: UnprovenKinds;
  readonly hasAllPositions: () => boolean;
};

export type OpenDriftCheck = DriftReader & Pick<DriftCheck, 'start' | 'stop'>;

/** The embedded cluster and its server share a machine: nothing is lost between them. */
const DEFAULT_SECONDS = { programs: 60, users: 3_600 };
/** Sums are compared after this number of passes over accounts of programs. */
const PASSES_PER_SUMS = 10;

/** Undefined if it is off. */
export function openDriftCheck(
  { isEmbedded = false }: { readonly isEmbedded?: boolean },
  settings: DriftSettings,
  { source, unproven, hasAllPositions, ...parts }: DriftParts,
): OpenDriftCheck | undefined {
  const timing = settings.timing?.drift ?? timingOf(settings, isEmbedded);
  if (timing === undefined) return undefined;
  let report: DriftReport | undefined;
  const publish = (change: Partial<DriftReport>) => {
    report = { kinds: [], passes: [], ...report, ...change };
    unproven.set('drift', driftReasons(report));
  };
  const compared = {
    ...parts,
    source,
    step: () => source.status().updates.step,
    now: () => performance.now(),
  };
  const check = new DriftCheck({
    ...compared,
    timing,
    onLoss: (step, reason) => source.reportLoss(step, reason),
    onChange: (status) => publish(reportOf(status)),
  });
  const sums = new SumCheck({
    ...compared,
    hasAllPositions,
    everyMs: timing.sumsMs ?? timing.programsMs * PASSES_PER_SUMS,
    repairMs: timing.usersMs,
    compare: {
      kinds: (kinds) => check.compareKinds(kinds),
      loans: (addresses) => check.compareLoans(addresses),
    },
    onChange: (status) => publish({ sums: sumReportOf(status) }),
  });
  return {
    start: () =>
      source.withPriority('backfill', () => {
        check.start();
        sums.start();
      }),
    stop() {
      sums.stop();
      check.stop();
    },
    report: () => report,
  };
}

function timingOf(
  { driftCheckSeconds, driftCheckUsersSeconds }: DriftSettings,
  isEmbedded: boolean,
): DriftTiming | undefined {
  // without settings, as in a test, nothing is compared
  if (driftCheckSeconds === undefined) return undefined;
  const programs = driftCheckSeconds.value ?? (isEmbedded ? 0 : DEFAULT_SECONDS.programs);
  const users = driftCheckUsersSeconds?.value ?? DEFAULT_SECONDS.users;
  return programs === 0 ? undefined : { programsMs: programs * 1_000, usersMs: users * 1_000 };
}

const reportOf = ({ kinds, passes }: DriftStatus): Omit<DriftReport, 'sums'> => ({
  kinds: kinds.map(({ kind, bySource, open, lastHealedAt }) => ({
    kind,
    accounts: Object.fromEntries(bySource),
    open: open === undefined ? null : { ...open, since: `${open.since}` },
    lastHealedAt,
  })),
  passes: passes.map(({ scope, everyMs, lastEndedAt = null, ...times }) => ({
    ...times,
    scope,
    everySeconds: everyMs / 1_000,
    lastEndedAt,
  })),
});
