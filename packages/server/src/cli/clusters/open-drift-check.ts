import type { ClusterSource } from '../../chain/cluster-source.ts';
import { type DriftReader, type DriftReport, driftReasons } from '../../clusters/drift-report.ts';
import type { UnprovenKinds } from '../../clusters/unproven-kinds.ts';
import {
  DriftCheck,
  type DriftCheckOptions,
  type DriftTiming,
} from '../../indexer/drift/drift-check.ts';
import type { DriftStatus } from '../../indexer/drift/drift-tally.ts';
import type { Config } from '../settings/settings.ts';

export type DriftSettings = Partial<
  Pick<Config, 'driftCheckSeconds' | 'driftCheckUsersSeconds'>
> & {
  /** Overrides the settings, for tests. */
  readonly timing?: { readonly drift?: DriftTiming };
};

type DriftParts = Pick<DriftCheckOptions, 'state' | 'followed' | 'clock' | 'log'> & {
  readonly source: ClusterSource;
  readonly unproven: UnprovenKinds;
};

export type OpenDriftCheck = DriftReader & Pick<DriftCheck, 'start' | 'stop'>;

/** The embedded cluster and its server share a machine: nothing is lost between them. */
const DEFAULT_SECONDS = { programs: 60, users: 3_600 };

/** Undefined if it is off. */
export function openDriftCheck(
  { isEmbedded = false }: { readonly isEmbedded?: boolean },
  settings: DriftSettings,
  { source, unproven, ...parts }: DriftParts,
): OpenDriftCheck | undefined {
  const timing = settings.timing?.drift ?? timingOf(settings, isEmbedded);
  if (timing === undefined) return undefined;
  let report: DriftReport | undefined;
  const check = new DriftCheck({
    ...parts,
    timing,
    source,
    step: () => source.status().updates.step,
    onLoss: (step, reason) => source.reportLoss(step, reason),
    onChange: (status) => {
      report = reportOf(status);
      unproven.set('drift', driftReasons(report));
    },
    now: () => performance.now(),
  });
  const start = () => source.withPriority('backfill', () => check.start());
  return { start, stop: () => check.stop(), report: () => report };
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

const reportOf = ({ kinds, passes }: DriftStatus): DriftReport => ({
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
