import type { RunningApi } from '../http/test-api.ts';

/** The parts of `/status` that say that something is wrong. */
export type ServedStatus = {
  readonly ready: boolean;
  readonly slot: string | null;
  readonly waitingFor: string | null;
  readonly endpoints: readonly {
    readonly healthy: boolean;
    readonly lastError: string | null;
  }[];
  readonly source: { readonly step: string; readonly reason: string };
  readonly alarms: readonly { readonly kind: string; readonly count: number }[];
  readonly checks: Readonly<Record<string, unknown>> & { readonly lateUpdates: number };
  readonly unproven: readonly unknown[];
  readonly unreadableAccounts: readonly unknown[];
  readonly missing: readonly string[];
  readonly drift: {
    readonly kinds: readonly {
      readonly kind: string;
      readonly accounts: number;
      readonly since: string | null;
    }[];
    readonly passes: readonly {
      readonly accounts: 'programs' | 'users';
      readonly lastEndedAt: string | null;
    }[];
    readonly sums: { readonly found: number; readonly open: number };
  };
};

export async function readMixStatus({ get }: Pick<RunningApi, 'get'>): Promise<ServedStatus> {
  const { ready, clusters } = (await get('/status')).body as {
    readonly ready: boolean;
    readonly clusters: readonly Omit<ServedStatus, 'ready'>[];
  };
  const [cluster] = clusters;
  if (cluster === undefined) throw new Error('no cluster is served');
  return { ...cluster, ready };
}

/** What `/status` says beside figures of normal operation, as short texts. */
export function listFindings(status: ServedStatus): string[] {
  const { source, alarms, checks, drift, endpoints, missing, unreadableAccounts } = status;
  const counts = [
    'refutedAbsences',
    'unconfirmedAbsences',
    'lateUpdates',
    'delayMs',
    'wrongAccounts',
    'disputedAccounts',
  ];
  return [
    ...(status.waitingFor === null ? [] : [`waitingFor: ${status.waitingFor}`]),
    ...(source.reason === 'It is the preferred source.'
      ? []
      : [`source: ${source.step}, ${source.reason}`]),
    ...alarms.map(({ kind, count }) => `alarms: ${kind} ${count}`),
    ...counts.flatMap((name) => (checks[name] === 0 ? [] : [`checks.${name}: ${checks[name]}`])),
    ...(checks['completeTo'] === null ? [] : [`checks.completeTo: ${checks['completeTo']}`]),
    ...drift.kinds.map(
      ({ kind, accounts, since }) => `drift: ${kind} ${accounts}${since === null ? '' : ', open'}`,
    ),
    ...(drift.sums.found === 0 ? [] : [`sums: ${drift.sums.found}, ${drift.sums.open} open`]),
    ...endpoints.flatMap(({ healthy, lastError }, i) =>
      healthy && lastError === null ? [] : [`endpoint ${i}: ${lastError ?? 'not healthy'}`],
    ),
    ...missing.map((text) => `missing: ${text}`),
    ...(unreadableAccounts.length === 0
      ? []
      : [`unreadableAccounts: ${unreadableAccounts.length}`]),
  ];
}
