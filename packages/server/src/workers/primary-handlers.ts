import type { StartProgress } from '../clusters/cluster-status.ts';
import type { ClusterName } from '../clusters/served-clusters.ts';
import { CodedError } from '../errors.ts';
import type { LocalFeed, LocalSnapshot } from '../feed/local-feed.ts';
import { runStatement } from '../history/embedded/remote-history.ts';
import type { History } from '../history/open-history.ts';
import type { MemoryLimitCounters } from '../http/limits/memory-limit-counters.ts';
import type { MetricValues } from '../http/process-metrics.ts';
import type { RequestHandlers } from './process-channel.ts';
import type { PrimaryRequests, ServedLocalnet } from './worker-requests.ts';

/** What the primary process has for its workers. */
export type PrimaryParts = {
  readonly feeds: ReadonlyMap<ClusterName, LocalFeed>;
  readonly histories: ReadonlyMap<ClusterName, History>;
  readonly counters: MemoryLimitCounters;
  readonly progress: () => StartProgress;
  /** Resolves when the clusters are open. */
  readonly localnet: Promise<ServedLocalnet | undefined>;
  readonly metrics: () => Promise<readonly MetricValues[]>;
};

/** Requests that say something of the worker itself. */
type OwnRequests = 'listening' | 'opened' | 'failed';

export type PrimaryHandlers = Omit<RequestHandlers<PrimaryRequests>, OwnRequests>;

/** Does the requests of one worker. */
export function createPrimaryHandlers(parts: PrimaryParts): PrimaryHandlers {
  const snapshots = new Map<number, LocalSnapshot>();
  let nextId = 0;
  const feedOf = (env: ClusterName): LocalFeed => required(parts.feeds.get(env));
  return {
    progress: () => parts.progress(),
    localnet: () => parts.localnet,
    openSnapshot({ env }) {
      const snapshot = feedOf(env).openSnapshot();
      if (snapshot === undefined) return undefined;
      const id = nextId++;
      snapshots.set(id, snapshot);
      return { id, position: snapshot.position };
    },
    async nextChunk({ id }) {
      const chunk = await required(snapshots.get(id)).next();
      if ('completeAt' in chunk) snapshots.delete(id);
      return chunk;
    },
    readFeed: ({ env, after }) => feedOf(env).read(after),
    feedRequest({ env, id, request }) {
      feedOf(env).request(id, request);
      return undefined;
    },
    query: ({ env, ...statement }) => runStatement(required(parts.histories.get(env)), statement),
    charge: (charge) => parts.counters.charge(charge),
    metrics: () => parts.metrics(),
  };
}

function required<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new CodedError('INTERNAL', {});
  return part;
}
