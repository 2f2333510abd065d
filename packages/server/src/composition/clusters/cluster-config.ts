import type { Logger } from '@tidegate/core/base';
import type { OnRpcCall } from '../../chain/budget/endpoint-meter.ts';
import type { RpcBudget } from '../../chain/budget/rpc-budget.ts';
import type { SourceTiming } from '../../chain/cluster-source.ts';
import type { Config } from '../../cli/settings/settings.ts';
import type { ClusterName, HistoryMode } from '../../clusters/served-clusters.ts';
import type { FeedSink } from '../../feed/feed-transport.ts';
import type { History } from '../../history/open-history.ts';
import type { DriftTiming } from '../../indexer/drift/drift-check.ts';
import type { LoadProgress } from '../../indexer/follow/indexer-status.ts';
import type { IndexerTiming } from '../../indexer/follow/indexer-timing.ts';
import type { GapRepairTiming } from '../../indexer/reconciliation/gap-repair.ts';
import type { ProgramTiming } from '../../programs/program-watcher.ts';
import type { Registry } from '../../registry/registry.ts';
import type { DriftSettings } from './open-drift-check.ts';
import type { HookOptions, HookSettings } from './open-hooks.ts';
import type { ProofSettings } from './open-proof.ts';
import type { VerifyClusterOptions } from './verify-cluster.ts';
import type { RulesConfig } from './watch-programs.ts';

/** A cluster to serve, with its endpoints. */
export type ClusterConfig = RulesConfig & {
  readonly env: ClusterName;
  readonly rpcUrls: readonly URL[];
  /** The setting with `rpcUrls`, for messages; by default `RPC_URL`. */
  readonly rpcSetting?: VerifyClusterOptions['rpcSetting'];
  readonly wsUrls: readonly URL[];
  readonly geyser?: { readonly url: URL; readonly token?: string };
  readonly registry: Registry;
  /** The cluster closes it. Without one, no history is recorded. */
  readonly history?: History;
  /** A replica of it for reads. The cluster closes it. */
  readonly replica?: History | undefined;
  /** Whether this server runs the cluster. */
  readonly isEmbedded?: boolean;
  /** Where the state is published for other processes. The cluster closes it. */
  readonly feed?: FeedSink | undefined;
};

export type ClusterSettings = Pick<Config, 'commitment' | 'maxLagSlots' | 'obligations'> &
  HookSettings &
  ProofSettings &
  Omit<DriftSettings, 'timing'> & {
    /** Seconds between two polls if no endpoint sends updates; 15 by default. */
    readonly pollSeconds?: number;
    /** Days to store minute samples and raw data. */
    readonly minuteRetentionDays?: number;
    readonly rawRetentionDays?: number;
    /** Milliseconds since 1970. */
    readonly clock: () => number;
    /** Milliseconds that never go back; of the process by default. */
    readonly now?: () => number;
    readonly log: Logger;
    /** What may be used of each endpoint. */
    readonly rpcBudget?: { readonly value: RpcBudget | undefined };
    /** What is recorded, if there is a history; by default everything. */
    readonly historyMode?: HistoryMode;
    /** Observes every request to an endpoint. */
    readonly onRpcCall?: OnRpcCall | undefined;
    readonly onProgress?: (progress: LoadProgress) => void;
    /** Overrides the default timing, for tests. */
    readonly timing?: {
      readonly source?: SourceTiming;
      readonly indexer?: Partial<IndexerTiming>;
      readonly hooks?: HookOptions['timing'];
      readonly programs?: Partial<ProgramTiming>;
      readonly drift?: DriftTiming;
      readonly gapRepair?: Partial<GapRepairTiming>;
    };
  };
