import type { RunningLocalnet } from '@tidegate/localnet';
import type { StartProgress } from '../clusters/cluster-status.ts';
import type { ClusterName } from '../clusters/served-clusters.ts';
import type { FeedRequest } from '../feed/feed-message.ts';
import type { FeedRead } from '../feed/feed-transport.ts';
import type { PgliteRows } from '../history/embedded/pglite-messages.ts';
import type { CounterCharge, CounterReply } from '../http/limits/limit-counters.ts';
import type { MetricValues } from '../http/process-metrics.ts';
import type { ProcessFailure } from './process-failure.ts';

type Request<Input, Output> = { readonly input: Input; readonly output: Output };

type WithCluster<Fields = unknown> = Fields & { readonly env: ClusterName };

/** The embedded cluster that the primary process runs. */
export type ServedLocalnet = Pick<RunningLocalnet, 'rpcUrl' | 'wsUrl' | 'keysFolder' | 'metadata'>;

/** What workers request of the primary process. */
export type PrimaryRequests = {
  readonly progress: Request<undefined, StartProgress>;
  /** Replied to when the clusters are open. Undefined without an embedded cluster. */
  readonly localnet: Request<undefined, ServedLocalnet | undefined>;
  readonly openSnapshot: Request<
    WithCluster,
    { readonly id: number; readonly position: number } | undefined
  >;
  readonly nextChunk: Request<
    { readonly id: number },
    { readonly bytes: Uint8Array } | { readonly completeAt: number }
  >;
  readonly readFeed: Request<WithCluster<{ readonly after: number }>, FeedRead>;
  readonly feedRequest: Request<
    WithCluster<{ readonly id: string; readonly request: FeedRequest }>,
    undefined
  >;
  readonly query: Request<
    WithCluster<{ readonly sql: string; readonly parameters: readonly unknown[] }>,
    PgliteRows
  >;
  readonly charge: Request<CounterCharge, CounterReply>;
  /** The metrics of all processes. */
  readonly metrics: Request<undefined, readonly MetricValues[]>;
  readonly listening: Request<{ readonly url: string }, undefined>;
  /** All clusters are open in the worker. */
  readonly opened: Request<undefined, undefined>;
  readonly failed: Request<ProcessFailure, undefined>;
};

/** What the primary process requests of a worker. */
export type WorkerRequests = {
  /** The metrics of the worker. */
  readonly ownMetrics: Request<undefined, readonly MetricValues[]>;
};
