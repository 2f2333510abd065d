import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Address,
  type ChainTime,
  formatError,
  hasCode,
  type Logger,
  toSlot,
} from '@tidegate/core/base';
import { ClusterState } from '@tidegate/core/state';
import { BlockhashCache } from '../../chain/blockhash-cache.ts';
import {
  type ClusterSource,
  createClusterSource,
  type SourceTiming,
} from '../../chain/cluster-source.ts';
import { createDeferred } from '../../chain/deferred.ts';
import type {
  AccountsAtSlot,
  Cluster,
  ClusterName,
  ClusterStatus,
} from '../../clusters/served-clusters.ts';
import type { History } from '../../history/open-history.ts';
import {
  createIndexer,
  type Indexer,
  type IndexerOptions,
  type IndexerStatus,
  type LoadProgress,
} from '../../indexer/follow/indexer.ts';
import type { IndexerTiming } from '../../indexer/follow/indexer-timing.ts';
import type { Registry } from '../../registry/registry.ts';
import { createStoppableLog } from '../logging/stoppable-log.ts';
import type { Config } from '../settings/settings.ts';
import { openRecording } from './open-recording.ts';
import { genesisHashOf, verifyCluster } from './verify-cluster.ts';

/** A cluster to serve, with its endpoints. */
export type ClusterConfig = {
  readonly env: ClusterName;
  readonly rpcUrls: readonly URL[];
  readonly wsUrls: readonly URL[];
  readonly geyser?: { readonly url: URL; readonly token?: string };
  readonly registry: Registry;
  /** The cluster closes it. Without one, no history is recorded. */
  readonly history?: History;
};

export type ClusterSettings = Pick<Config, 'commitment' | 'maxLagSlots' | 'obligations'> & {
  /** Days to store minute samples and raw data. */
  readonly minuteRetentionDays?: number;
  readonly rawRetentionDays?: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Logger;
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Overrides the default timing, for tests. */
  readonly timing?: { readonly source?: SourceTiming; readonly indexer?: Partial<IndexerTiming> };
};

export type RunningCluster = {
  readonly cluster: Cluster;
  /** Rejects if the settings do not fit the endpoints, so that the cluster can never be served. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
};

/** Delay between attempts to reach a cluster. */
const RETRY_MS = 2_000;

/** Starts to follow a cluster and returns before its state is loaded; see `status`. */
export function openCluster(config: ClusterConfig, settings: ClusterSettings): RunningCluster {
  let isStopped = false;
  const startup = createStartup();
  const log = createStoppableLog(() => isStopped, settings.log);
  const { commitment, maxLagSlots, clock } = settings;
  const source = openSource(config, { ...settings, log });
  const state = new ClusterState({
    log,
    onChange: (address, account) => recording?.onAccount(address, account),
  });
  const { history, registry } = config;
  const recording =
    history && openRecording({ ...settings, history, registry, state, source, log });
  const onSlot = (at: ChainTime) => recording?.onSlot(at);
  const indexer = openIndexer(registry, { ...settings, log }, { source, state, onSlot });
  const fetchLatest = () => source.getLatestBlockhash(state.at().slot);
  const blockhashes = new BlockhashCache({ fetchLatest, clock, log });
  const cluster: Cluster = {
    env: config.env,
    commitment,
    reader: state,
    registry,
    history: recording?.reader,
    vaultHistoryCache: recording?.vaultHistoryCache,
    positionHistory: recording?.positionHistory,
    status: () =>
      readStatus({ indexer, source, state, maxLagSlots, clock, failure: startup.failure() }),
    updatedAt: () => Number(state.at().unix) * 1000,
    ...readsOnDemand(indexer),
    ...requestsTo(source, blockhashes),
  };
  const start = async (): Promise<void> => {
    while (!isStopped && !(await verifyCluster(config.env, source, log))) await sleep(RETRY_MS);
    await recording?.start();
    if (!isStopped) await indexer.start();
  };
  startup.run(start, { env: config.env, log });
  return {
    cluster,
    failed: startup.failed,
    stop: async () => {
      isStopped = true;
      blockhashes.close();
      await indexer.stop();
      await recording?.stop();
      source.close();
      await history?.close();
    },
  };
}

/** Runs the start in the background. `failed` rejects if only other settings can help. */
function createStartup() {
  let failure: string | undefined;
  const failed = createDeferred<never>();
  return {
    failed: failed.promise,
    failure: () => failure,
    run(start: () => Promise<void>, { env, log }: { env: ClusterName; log: Logger }): void {
      start().catch((error: unknown) => {
        failure = formatError(error);
        if (hasCode(error, 'INVALID_SETTING')) failed.reject(error);
        else log.error({ env, error }, 'cluster not followed');
      });
    },
  };
}

function openIndexer(
  { markets, privateCreditVaults }: Registry,
  { obligations, clock, log, timing, onProgress }: ClusterSettings,
  target: Pick<IndexerOptions, 'source' | 'state' | 'onSlot'>,
): Indexer {
  return createIndexer({
    ...target,
    mode: obligations,
    clock,
    random: Math.random,
    log,
    ...(onProgress && { onProgress }),
    lookupTables: markets.map(({ lookupTable }) => lookupTable),
    known: { markets, vaults: [...privateCreditVaults] },
    timing: timing?.indexer ?? {},
  });
}

const readsOnDemand = (
  indexer: Indexer,
): Pick<Cluster, 'loadWallet' | 'loadObligation' | 'waitForSlot'> => ({
  loadWallet: (owner) => loadWallet(indexer, owner),
  loadObligation: (address) => indexer.loadObligation(address),
  waitForSlot: (slot, timeoutMs) => indexer.waitForSlot(toSlot(slot), timeoutMs),
});

async function loadWallet(indexer: Indexer, owner: Address): Promise<void> {
  await indexer.loadShares(owner);
  // last, because a gap of the wallet removes it from state
  await indexer.loadWallet(owner);
}

const openSource = (
  { env, rpcUrls, wsUrls, geyser }: ClusterConfig,
  { commitment, clock, log, timing }: ClusterSettings,
): ClusterSource =>
  createClusterSource({
    rpcUrls,
    wsUrls,
    geyser,
    genesisHash: genesisHashOf(env),
    commitment,
    clock,
    log,
    random: Math.random,
    timing: timing?.source,
  });

const requestsTo = (
  source: ClusterSource,
  blockhashes: BlockhashCache,
): Pick<Cluster, 'readAccounts' | 'latestBlockhash' | 'simulateTransaction'> => ({
  readAccounts: (...request) => readAccounts(source, ...request),
  latestBlockhash: () => blockhashes.latest(),
  simulateTransaction: (...request) => source.simulate(...request),
});

async function readAccounts(
  source: ClusterSource,
  ...request: Parameters<Cluster['readAccounts']>
): Promise<AccountsAtSlot> {
  const [addresses] = request;
  const { slot, accounts } = await source.getAccounts(...request);
  return { slot, accounts: new Map(addresses.map((address, i) => [address, accounts[i]])) };
}

type StatusSources = {
  readonly indexer: Indexer;
  readonly source: ClusterSource;
  readonly state: ClusterState;
  readonly maxLagSlots: number;
  readonly clock: () => number;
  /** Why the cluster is not followed. */
  readonly failure: string | undefined;
};

function readStatus(sources: StatusSources): ClusterStatus {
  const { indexer, source, state, maxLagSlots, clock, failure } = sources;
  const { ready, slot, lagSlots, missing } = indexer.status();
  const { step, activeMs, reason, steps } = source.status().updates;
  const lag = Number(lagSlots);
  return {
    waitingFor: waitingFor(indexer.status(), maxLagSlots),
    slot: ready ? slot : undefined,
    lagSlots: lag,
    endpoints: source.status().requests.map(({ name, healthy, slot: newest }) => ({
      name,
      healthy,
      slot: newest,
    })),
    source: { step, since: Math.round(clock() - activeMs), reason, steps },
    missing: failure === undefined ? missing : [`Nothing is followed: ${failure}`],
    undecodedAccounts: state.statistics().unreadable,
  };
}

/** Why the cluster is not ready; undefined if it is. */
function waitingFor(status: IndexerStatus, maxLagSlots: number): string | undefined {
  const { loading, ready, stalled, lagSlots, progress } = status;
  if (loading || !ready) return `loading, ${progress.done} of ${progress.total} read`;
  if (stalled) return 'new slots';
  return lagSlots > BigInt(maxLagSlots) ? `${lagSlots} slots to catch up` : undefined;
}
