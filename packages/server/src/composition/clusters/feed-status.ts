import type { ClusterSource } from '../../chain/cluster-source.ts';
import type { ClusterStatus } from '../../clusters/cluster-status.ts';
import type { FeedFollower } from '../../feed/feed-follower.ts';
import type { FeedSource } from '../../feed/feed-transport.ts';
import type { History } from '../../history/open-history.ts';
import type { ApiHistory } from './api-history.ts';
import { describeBudgets, endpointStatus } from './read-status.ts';

type FeedStatusSources = {
  readonly follower: FeedFollower;
  readonly source: FeedSource;
  /** The endpoints for what requests need. */
  readonly chain: ClusterSource;
  readonly history: Pick<ApiHistory, 'vaultHistoryCache'>;
  readonly database: Pick<History, 'engine' | 'health'>;
  readonly maxLagSlots: number;
  readonly clock: () => number;
};

/** Without a message for this time, the writer or the feed is away. */
const SILENT_MS = 10_000;

/** The state of a cluster that is read from the feed of its writer, for `/ready` and `/status`. */
export function readFeedStatus(sources: FeedStatusSources): ClusterStatus {
  const { follower, source, chain, clock } = sources;
  const { lastMessageAt, loadedChunks, failure } = follower.status();
  const { status } = follower.facts();
  const { reader } = follower;
  const { requests, alarms } = chain.status();
  const isLoaded = lastMessageAt !== undefined;
  const lagSlots = (status?.lagSlots ?? 0) + slotsSince(sources, lastMessageAt);
  const lastError = failure;
  return {
    waitingFor: waitingFor(sources, lagSlots),
    progress: isLoaded ? undefined : { stage: 'loading', done: loadedChunks, total: 0 },
    slot: isLoaded ? reader.at().slot : undefined,
    lagSlots,
    endpoints: requests.map(endpointStatus),
    source: {
      step: 'feed',
      since: lastMessageAt ?? clock(),
      reason: failure ?? `the ${writerOf(source)} process publishes state (${source.name})`,
      steps: [{ step: 'feed', active: failure === undefined, lastError, retryInMs: undefined }],
    },
    alarms: mergeAlarms([...(status?.alarms ?? []), ...alarms]),
    history: historyOf(sources),
    missing: [...(status?.missing ?? []), ...describeBudgets(requests)],
    scans: { refused: status?.refusedScans ?? [], retryInMs: undefined },
    undecodedAccounts: reader.statistics().unreadable,
  };
}

/** An api process never records, so that the alert for a missing writer does not wait for it. Workers speak for their server. */
function historyOf({ database, source }: FeedStatusSources): ClusterStatus['history'] {
  const status = database.health.status();
  const isWritable = source.name === 'local' && status.isWritable;
  return { engine: database.engine, ...status, isWritable };
}

/** What the writer's sources and those of this process said, one entry per kind. */
function mergeAlarms(alarms: ClusterStatus['alarms']): ClusterStatus['alarms'] {
  const merged = new Map<string, ClusterStatus['alarms'][number]>();
  for (const alarm of alarms) {
    const other = merged.get(alarm.kind);
    const isLater = (alarm.last?.at ?? 0) >= (other?.last?.at ?? 0);
    const last = isLater ? alarm.last : other?.last;
    merged.set(alarm.kind, { kind: alarm.kind, count: alarm.count + (other?.count ?? 0), last });
  }
  return [...merged.values()];
}

/** Workers of one server read the feed of its primary process. */
const writerOf = ({ name }: FeedSource): string => (name === 'local' ? 'primary' : 'index');

function waitingFor(sources: FeedStatusSources, lagSlots: number): string | undefined {
  const { follower, source, history, maxLagSlots, clock } = sources;
  const { lastMessageAt, isCatchingUp } = follower.status();
  if (lastMessageAt === undefined) {
    return `the ${isCatchingUp ? 'newest ' : ''}state of the ${writerOf(source)} process`;
  }
  if (clock() - lastMessageAt > SILENT_MS) return 'new slots';
  if (lagSlots > maxLagSlots) return `${lagSlots} slots to catch up`;
  return history.vaultHistoryCache.isLoaded() ? undefined : 'history of vaults';
}

/** Slots of the cluster since the last message; a pause between two slots does not count. */
function slotsSince({ follower, clock }: FeedStatusSources, lastMessageAt: number | undefined) {
  if (lastMessageAt === undefined) return 0;
  const { numerator, denominator } = follower.reader.slotMs();
  const slotMs = Number(numerator) / Number(denominator);
  return Math.max(0, Math.floor((clock() - lastMessageAt) / slotMs) - 1);
}
