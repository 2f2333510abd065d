import { formatError, type Logger } from '@tidegate/core/base';
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
import { createIndexer, type Indexer, type IndexerStatus } from '../../indexer/follow/indexer.ts';
import type { IndexerTiming } from '../../indexer/follow/indexer-timing.ts';
import type { Registry } from '../../registry/registry.ts';
import { createStoppableLog } from '../logging/stoppable-log.ts';
import type { Config } from '../settings/settings.ts';
import { createLoadProgressBar } from '../terminal/progress-bar.ts';
import { openRecording } from './open-recording.ts';

/** A cluster to serve, and where it is reached. */
export type ClusterConfig = {
  readonly env: ClusterName;
  readonly rpcUrls: readonly URL[];
  readonly wsUrls: readonly URL[];
  readonly geyser?: { readonly url: URL; readonly token?: string };
  readonly registry: Registry;
  /** Its past is written there, and closed with it; not at all without one. */
  readonly history?: History;
};

export type ClusterSettings = Pick<Config, 'commitment' | 'maxLagSlots' | 'obligations'> & {
  /** For so many days samples by the minute are kept, and what came is as it came. */
  readonly minutesDays?: number;
  readonly rawDays?: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Logger;
  /** Other than usual, where somebody would wait for it. */
  readonly timing?: { readonly source?: SourceTiming; readonly indexer?: Partial<IndexerTiming> };
};

export type RunningCluster = { readonly cluster: Cluster; stop(): Promise<void> };

/** Of the first block: what says which cluster an endpoint really serves. */
const GENESIS: Partial<Record<ClusterName, string>> = {
  'mainnet-beta': '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
};

/** Between two looks at a cluster that does not answer. */
const RETRY_MS = 2_000;

/** How often a caller who waits for a slot looks for it. */
const LOOK_MS = 20;

/** Reads a cluster into a state of its own, from now on; `status` tells how far that is. */
export function openCluster(plan: ClusterConfig, settings: ClusterSettings): RunningCluster {
  let isStopped = false;
  const log = createStoppableLog(() => isStopped, settings.log);
  const { commitment, maxLagSlots, obligations, clock, timing } = settings;
  const source = openSource(plan, { ...settings, log });
  const state = new ClusterState({
    log,
    onChange: (address, account) => recording?.note(address, account),
  });
  const { history, registry } = plan;
  const recording =
    history && openRecording({ ...settings, history, registry, state, source, log });
  const onProgress = createLoadProgressBar(plan.env);
  const indexer = createIndexer({
    ...{ source, state, mode: obligations, clock, log, onProgress },
    onSlot: (at) => recording?.onSlot(at),
    lookupTables: plan.registry.markets.map(({ lookupTable }) => lookupTable),
    timing: timing?.indexer ?? {},
  });
  const latest = () => source.latestBlockhash(state.at().slot);
  const blockhashes = new BlockhashCache({ ask: latest, clock, log });
  const cluster: Cluster = {
    env: plan.env,
    commitment,
    reader: state,
    registry,
    history: recording?.reader,
    vaultPasts: recording?.vaultPasts,
    status: () => statusOf({ indexer, source, state, maxLagSlots }),
    updatedAt: () => Number(state.at().unix) * 1000,
    async ensureWallet(owner) {
      await indexer.ensureShares(owner);
      // last, as a gap makes state forget it
      await indexer.ensureWallet(owner);
    },
    ensureObligation: (address) => indexer.ensureObligation(address),
    reaches: (slot, timeoutMs) => reaches(() => state.at().slot >= slot, timeoutMs),
    ...requestsTo(source, blockhashes),
  };
  const start = async (): Promise<void> => {
    while (!isStopped && !(await verifyGenesisHash(plan.env, source, log))) await pause(RETRY_MS);
    await recording?.start();
    if (!isStopped) await indexer.start();
  };
  start().catch((error: unknown) => log.error({ env: plan.env, error }, 'cluster not followed'));
  return {
    cluster,
    stop: async () => {
      isStopped = true;
      blockhashes.close();
      await indexer.stop();
      await recording?.stop();
      source.close();
      await plan.history?.close();
    },
  };
}

const openSource = (
  { rpcUrls, wsUrls, geyser }: ClusterConfig,
  { commitment, clock, log, timing }: ClusterSettings,
): ClusterSource =>
  createClusterSource({
    ...{ rpcUrls, wsUrls, geyser, commitment, clock, log },
    random: Math.random,
    timing: timing?.source,
  });

const requestsTo = (
  source: ClusterSource,
  blockhashes: BlockhashCache,
): Pick<Cluster, 'readAccounts' | 'latestBlockhash' | 'simulate'> => ({
  readAccounts: (...asked) => readAccounts(source, ...asked),
  latestBlockhash: () => blockhashes.latest(),
  simulate: (...asked) => source.simulate(...asked),
});

/** An endpoint of another cluster would answer everything, wrongly: nothing is served of it. */
export async function verifyGenesisHash(
  env: ClusterName,
  source: ClusterSource,
  log: Logger,
): Promise<boolean> {
  const expected = GENESIS[env];
  if (expected === undefined) return true;
  try {
    const found = await source.genesisHash();
    if (found === expected) return true;
    log.error({ env, found, expected }, 'the endpoints serve another cluster; set CLUSTER');
  } catch (error) {
    log.warn({ env, reason: formatError(error) }, 'the cluster does not answer yet');
  }
  return false;
}

async function readAccounts(
  source: ClusterSource,
  ...asked: Parameters<Cluster['readAccounts']>
): Promise<AccountsAtSlot> {
  const [addresses] = asked;
  const { slot, accounts } = await source.accounts(...asked);
  return { slot, accounts: new Map(addresses.map((address, i) => [address, accounts[i]])) };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Parts = {
  readonly indexer: Indexer;
  readonly source: ClusterSource;
  readonly state: ClusterState;
  readonly maxLagSlots: number;
};

function statusOf({ indexer, source, state, maxLagSlots }: Parts): ClusterStatus {
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
    undecodedAccounts: state.figures().unreadable,
  };
}

/** What keeps a cluster from being served as it is now. */
function waitingFor(status: IndexerStatus, maxLagSlots: number): string | undefined {
  const { loading, ready, stalled, lagSlots, progress } = status;
  if (loading || !ready) return `loading, ${progress.done} of ${progress.total} read`;
  if (stalled) return 'new slots';
  return lagSlots > BigInt(maxLagSlots) ? `${lagSlots} slots to catch up` : undefined;
}

async function reaches(isReached: () => boolean, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (!isReached()) {
    if (performance.now() >= end) return false;
    await pause(LOOK_MS);
  }
  return true;
}
