import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, formatError, type Logger, toSlot } from '@tidegate/core/base';
import { ClusterState } from '@tidegate/core/state';
import { BlockhashCache } from '../../chain/blockhash-cache.ts';
import {
  type ClusterSource,
  createClusterSource,
  type SourceTiming,
} from '../../chain/cluster-source.ts';
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
  type IndexerStatus,
  type LoadProgress,
} from '../../indexer/follow/indexer.ts';
import type { IndexerTiming } from '../../indexer/follow/indexer-timing.ts';
import type { Registry } from '../../registry/registry.ts';
import { createStoppableLog } from '../logging/stoppable-log.ts';
import type { Config } from '../settings/settings.ts';
import { openRecording } from './open-recording.ts';

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

export type RunningCluster = { readonly cluster: Cluster; stop(): Promise<void> };

/** Genesis hashes identify the cluster of an endpoint. */
const GENESIS_HASHES: Partial<Record<ClusterName, string>> = {
  'mainnet-beta': '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
};

/** Delay between attempts to reach a cluster. */
const RETRY_MS = 2_000;

/** Starts to follow a cluster and returns before its state is loaded; see `status`. */
export function openCluster(config: ClusterConfig, settings: ClusterSettings): RunningCluster {
  let isStopped = false;
  const log = createStoppableLog(() => isStopped, settings.log);
  const { commitment, maxLagSlots, obligations, clock, timing, onProgress } = settings;
  const source = openSource(config, { ...settings, log });
  const state = new ClusterState({
    log,
    onChange: (address, account) => recording?.onAccount(address, account),
  });
  const { history, registry } = config;
  const recording =
    history && openRecording({ ...settings, history, registry, state, source, log });
  const indexer = createIndexer({
    source,
    state,
    mode: obligations,
    clock,
    random: Math.random,
    log,
    ...(onProgress && { onProgress }),
    onSlot: (at) => recording?.onSlot(at),
    lookupTables: registry.markets.map(({ lookupTable }) => lookupTable),
    timing: timing?.indexer ?? {},
  });
  const fetchLatest = () => source.getLatestBlockhash(state.at().slot);
  const blockhashes = new BlockhashCache({ fetchLatest, clock, log });
  const cluster: Cluster = {
    env: config.env,
    commitment,
    reader: state,
    registry,
    history: recording?.reader,
    vaultHistoryCache: recording?.vaultHistoryCache,
    status: () => readStatus({ indexer, source, state, maxLagSlots }),
    updatedAt: () => Number(state.at().unix) * 1000,
    loadWallet: (owner) => loadWallet(indexer, owner),
    loadObligation: (address) => indexer.loadObligation(address),
    waitForSlot: (slot, timeoutMs) => indexer.waitForSlot(toSlot(slot), timeoutMs),
    ...requestsTo(source, blockhashes),
  };
  const start = async (): Promise<void> => {
    while (!isStopped && !(await verifyGenesisHash(config.env, source, log))) await sleep(RETRY_MS);
    await recording?.start();
    if (!isStopped) await indexer.start();
  };
  start().catch((error: unknown) => log.error({ env: config.env, error }, 'cluster not followed'));
  return {
    cluster,
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

async function loadWallet(indexer: Indexer, owner: Address): Promise<void> {
  await indexer.loadShares(owner);
  // last, because a gap of the wallet removes it from state
  await indexer.loadWallet(owner);
}

const openSource = (
  { rpcUrls, wsUrls, geyser }: ClusterConfig,
  { commitment, clock, log, timing }: ClusterSettings,
): ClusterSource =>
  createClusterSource({
    rpcUrls,
    wsUrls,
    geyser,
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

/** Returns false for an endpoint of another cluster, whose data would be wrong, or one that fails. */
export async function verifyGenesisHash(
  env: ClusterName,
  source: ClusterSource,
  log: Logger,
): Promise<boolean> {
  const expected = GENESIS_HASHES[env];
  if (expected === undefined) return true;
  try {
    const found = await source.getGenesisHash();
    if (found === expected) return true;
    log.error({ env, found, expected }, 'the endpoints serve another cluster; set CLUSTER');
  } catch (error) {
    log.warn({ env, reason: formatError(error) }, 'the cluster does not respond yet');
  }
  return false;
}

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
};

function readStatus({ indexer, source, state, maxLagSlots }: StatusSources): ClusterStatus {
  const { ready, slot, lagSlots } = indexer.status();
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
