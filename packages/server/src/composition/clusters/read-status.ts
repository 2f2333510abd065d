import type { ClusterState } from '@tidegate/core/state';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import type { EndpointStatus } from '../../chain/endpoints/endpoint-health.ts';
import type { ClusterStatus, HistoryState, StartProgress } from '../../clusters/cluster-status.ts';
import type { HistoryMode } from '../../clusters/served-clusters.ts';
import type { History } from '../../history/open-history.ts';
import type { Indexer } from '../../indexer/follow/indexer.ts';
import type { IndexerStatus } from '../../indexer/follow/indexer-status.ts';
import type { ClusterRecording } from '../recording/open-recording.ts';

type StatusSources = {
  readonly indexer: Indexer;
  readonly source: ClusterSource;
  readonly state: ClusterState;
  readonly maxLagSlots: number;
  readonly clock: () => number;
  /** Undefined if no history is recorded. */
  readonly recording: Pick<ClusterRecording, 'vaultHistoryCache'> | undefined;
  readonly history: Pick<History, 'engine' | 'health'> | undefined;
  readonly historyMode?: HistoryMode | undefined;
  /** Why the cluster is not followed. */
  readonly failure: string | undefined;
};

/** The state of a followed cluster, for `/ready` and `/status`. */
export function readStatus(sources: StatusSources): ClusterStatus {
  const { indexer, source, state, maxLagSlots, clock, recording, history, failure } = sources;
  const { ready, slot, lagSlots, missing, scans } = indexer.status();
  const { requests, updates, alarms } = source.status();
  const { step, activeMs, reason, steps } = updates;
  const lag = Number(lagSlots);
  const historyState = history && { engine: history.engine, ...history.health.status() };
  return {
    waitingFor:
      waitingFor(indexer.status(), maxLagSlots) ??
      (recording?.vaultHistoryCache.isLoaded() === false ? 'history of vaults' : undefined),
    progress: loadProgress(indexer.status()),
    slot: ready ? slot : undefined,
    lagSlots: lag,
    endpoints: requests.map(endpointStatus),
    source: { step, since: Math.round(clock() - activeMs), reason, steps },
    alarms,
    history: historyState,
    missing:
      failure === undefined
        ? [
            ...(ready ? [] : describeOutage(requests)),
            ...missing,
            ...describeBudgets(requests),
            ...describeHistoryMode(sources.historyMode),
            ...(historyState?.failure ? [describeHistory(historyState)] : []),
          ]
        : [`Nothing is followed: ${failure}`],
    scans,
    undecodedAccounts: state.statistics().unreadable,
    checks: readChecks(indexer.status(), source.status()),
  };
}

/** Those of polled accounts, and those of what the indexer reads. */
const readChecks = (
  { absences, claims, agreement }: IndexerStatus,
  { absences: polled }: ReturnType<ClusterSource['status']>,
): ClusterStatus['checks'] => ({
  confirmedAbsences: absences.confirmed + polled.confirmed,
  refutedAbsences: absences.refuted + polled.refuted,
  unconfirmedAbsences: absences.unconfirmed,
  ...claims,
  comparedAccounts: agreement.compared,
  wrongAccounts: agreement.wrong,
  disputedAccounts: agreement.disputed,
});

/** What `/status` says of an endpoint. */
export const endpointStatus = (status: EndpointStatus): ClusterStatus['endpoints'][number] => {
  const { name, healthy, slot, failureReason, failures, usage } = status;
  return { name, healthy, slot, failureReason, failures, usage };
};

/** Endpoints whose bytes of the day are used up. */
export const describeBudgets = (requests: readonly EndpointStatus[]): string[] =>
  requests
    .filter(({ usage }) => usage?.budget?.bytesLeft === 0)
    .map(
      ({ name }) =>
        `The bytes that RPC_BUDGET allows for ${name} today are used up, so nothing is read from it until 00:00 UTC. What a stream sends is still followed.`,
    );

function describeHistoryMode(mode: HistoryMode = 'full'): string[] {
  switch (mode) {
    case 'full':
      return [];
    case 'off':
      return ['No history is recorded (HISTORY=off).'];
    case 'events-on-demand':
      return [
        'Events are loaded per position when it is requested, so there are no lists of all events (HISTORY=events-on-demand).',
      ];
  }
}

const describeHistory = ({ isReadable, failure }: HistoryState): string =>
  `The history is not ${isReadable ? 'recorded' : 'available'}. ${failure?.advice ?? ''}`;

/** Before the first state is loaded: why no endpoint works. Empty if one does. */
function describeOutage(requests: readonly EndpointStatus[]): string[] {
  const failed = requests.filter(({ healthy, failureReason }) => !healthy && failureReason);
  if (failed.length < requests.length) return [];
  const reasons = failed.map(({ name, failureReason }) => `${name}: ${failureReason}`);
  return [`Nothing is loaded yet, because no endpoint works. ${reasons.join('; ')}`];
}

/** Why the cluster is not ready; undefined if it is. */
function waitingFor(status: IndexerStatus, maxLagSlots: number): string | undefined {
  const { loading, ready, stalled, lagSlots, progress } = status;
  if (loading || !ready) return `loading, ${progress.done} of ${progress.total} read`;
  if (stalled) return 'new slots';
  return lagSlots > BigInt(maxLagSlots) ? `${lagSlots} slots to catch up` : undefined;
}

function loadProgress({ loading, ready, progress }: IndexerStatus): StartProgress | undefined {
  const { done, total } = progress;
  return loading || !ready ? { stage: 'loading', done, total } : undefined;
}
