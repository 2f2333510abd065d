import { type ChainTime, hasCode, type Logger, type Slot, toSlot } from '@tidegate/core/base';
import type { RulesAt } from '@tidegate/core/protocol/releases';
import { ClusterState } from '@tidegate/core/state';
import { BlockhashCache } from '../../chain/blockhash-cache.ts';
import type { OnRpcCall } from '../../chain/budget/endpoint-meter.ts';
import type { RpcBudget } from '../../chain/budget/rpc-budget.ts';
import {
  type ClusterSource,
  createClusterSource,
  type SourceTiming,
} from '../../chain/cluster-source.ts';
import { createDeferred } from '../../chain/deferred.ts';
import { EpochTimes } from '../../chain/epoch-times.ts';
import type {
  AccountsAtSlot,
  Cluster,
  ClusterName,
  HistoryMode,
} from '../../clusters/served-clusters.ts';
import { TokenFigures, type TokenFiguresOptions } from '../../clusters/token-figures.ts';
import type { FeedSink } from '../../feed/feed-transport.ts';
import type { History } from '../../history/open-history.ts';
import { createIndexer, type Indexer, type IndexerOptions } from '../../indexer/follow/indexer.ts';
import type { LoadProgress } from '../../indexer/follow/indexer-status.ts';
import type { IndexerTiming } from '../../indexer/follow/indexer-timing.ts';
import type { RolledBackSlots } from '../../indexer/follow/rolled-back-slots.ts';
import type { Registry } from '../../registry/registry.ts';
import { createStoppableLog } from '../logging/stoppable-log.ts';
import type { Config } from '../settings/settings.ts';
import { type HookOptions, type HookSettings, hookOptions, openHooks } from './open-hooks.ts';
import { type ClusterRecording, openRecording } from './open-recording.ts';
import { publicReason } from './public-reason.ts';
import { loadWallet, publishState } from './publish-state.ts';
import { waitForClusterIdentity } from './read-cluster-identity.ts';
import { readStatus } from './read-status.ts';
import { genesisHashOf, type VerifyClusterOptions, waitForCluster } from './verify-cluster.ts';

const DEFAULT_POLL_SECONDS = 15;
/** Loans and stakes are many, so they are polled less often. */
const POLLS_PER_USER_POLL = 8;

/** A cluster to serve, with its endpoints. */
export type ClusterConfig = {
  readonly env: ClusterName;
  readonly rpcUrls: readonly URL[];
  /** The setting with `rpcUrls`, for messages; by default `RPC_URL`. */
  readonly rpcSetting?: VerifyClusterOptions['rpcSetting'];
  readonly wsUrls: readonly URL[];
  readonly geyser?: { readonly url: URL; readonly token?: string };
  readonly registry: Registry;
  /** The rules of its programs; by default those of the newest releases. */
  readonly rulesAt?: RulesAt;
  /** The cluster closes it. Without one, no history is recorded. */
  readonly history?: History;
  /** A replica of it for reads. The cluster closes it. */
  readonly replica?: History | undefined;
  /** Where the state is published for other processes. The cluster closes it. */
  readonly feed?: FeedSink | undefined;
};

export type ClusterSettings = Pick<Config, 'commitment' | 'maxLagSlots' | 'obligations'> &
  HookSettings & {
    /** Seconds between two polls if no endpoint sends updates; 15 by default. */
    readonly pollSeconds?: number;
    /** Days to store minute samples and raw data. */
    readonly minuteRetentionDays?: number;
    readonly rawRetentionDays?: number;
    /** Milliseconds since 1970. */
    readonly clock: () => number;
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
    };
  };

export type RunningCluster = {
  readonly cluster: Cluster;
  /** Rejects if the settings do not fit the endpoints or the database, so that the cluster can never be served. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
};

/** Starts to follow a cluster and returns before its state is loaded; see `status`. */
export function openCluster(config: ClusterConfig, settings: ClusterSettings): RunningCluster {
  const stopping = new AbortController();
  const startup = createStartup();
  const log = createStoppableLog(() => stopping.signal.aborted, settings.log);
  const source = openSource(config, { ...settings, log });
  const state = new ClusterState({
    log,
    rulesAt: config.rulesAt,
    onChange: (address, account, change) => {
      recording?.onAccount(address, account, change.isVisible);
      publisher?.onChange(address, change);
    },
    onForget: (address) => publisher?.onForget(address),
  });
  const { history, replica, registry } = config;
  const hasAllPositions = () => indexer.status().allPositions;
  const observed = { ...settings, registry, state, source, log, hasAllPositions };
  const followedState = { ...identityOf(config, settings), reader: state, hasAllPositions };
  const hooks = hookOptions(settings, followedState, () => requests);
  const recording = history && openRecording({ ...observed, history, replica, hooks });
  const onSlot = (at: ChainTime) => {
    recording?.onSlot(at);
    publisher?.onSlot(at);
    void tokenFigures?.refreshIfStale();
  };
  const onRollBack = (slots: RolledBackSlots) => recording?.onRollBack(slots);
  const target = { source, state, onSlot, onRollBack, log };
  const indexer = openIndexer(registry, settings, target);
  const publisher = config.feed && publishState(config.feed, { state, indexer, recording, log });
  const fetchLatest = (minSlot: Slot) => source.getLatestBlockhash(minSlot);
  const currentSlot = () => state.at().slot;
  const blockhashes = new BlockhashCache({ ...settings, fetchLatest, currentSlot, log });
  const requests = { ...readsOnDemand(indexer, source), ...requestsTo(source, blockhashes) };
  const data = { ...requests, reader: state, history: recording?.reader };
  const followed = { ...settings, indexer, source, state, recording, history };
  const tokenFigures = openTokenFigures(config, { ...settings, ...data, log });
  const cluster: Cluster = {
    ...followedState,
    tokenFigures,
    ...readsOfHistory(recording, { ...hooks, clock: settings.clock }),
    status: () => readStatus({ ...followed, failure: startup.failure() }),
    updatedAt: () => Number(state.at().unix) * 1000,
    ...requests,
  };
  const parts = { source, recording, indexer, log, signal: stopping.signal };
  startup.run(() => startCluster(config, parts), { env: config.env, log });
  const stop = async () => {
    stopping.abort();
    blockhashes.close();
    await indexer.stop();
    await config.feed?.close();
    await recording?.stop();
    source.close();
    await history?.close();
  };
  return { cluster, failed: startup.failed, stop };
}

const identityOf = (
  { env, registry }: ClusterConfig,
  { commitment, historyMode = 'full' }: ClusterSettings,
): Pick<Cluster, 'env' | 'registry' | 'commitment' | 'historyMode'> => ({
  env,
  registry,
  commitment,
  historyMode,
});

type StartedParts = Pick<Parameters<typeof waitForCluster>[0], 'source' | 'log' | 'signal'> & {
  readonly recording: ClusterRecording | undefined;
  readonly indexer: Indexer;
};

async function startCluster(config: ClusterConfig, parts: StartedParts): Promise<void> {
  const { recording, indexer, ...cluster } = parts;
  await waitForCluster({ rpcSetting: 'RPC_URL', ...config, ...cluster });
  if (recording !== undefined) {
    await recording.start(await waitForClusterIdentity({ ...config, ...cluster }));
  }
  if (!parts.signal.aborted) await indexer.start();
}

/** Volume and market cap are counted on a localnet only: elsewhere most movements are outside of the recorded programs. */
export const openTokenFigures = (
  { env, registry }: ClusterConfig,
  options: Omit<TokenFiguresOptions, 'registry'>,
): TokenFigures | undefined =>
  env === 'localnet' ? new TokenFigures({ ...options, registry }) : undefined;

/** Runs the start in the background. `failed` rejects if only other settings can help. */
function createStartup() {
  let failure: string | undefined;
  const failed = createDeferred<never>();
  return {
    failed: failed.promise,
    failure: () => failure,
    run(start: () => Promise<void>, { env, log }: { env: ClusterName; log: Logger }): void {
      start().catch((error: unknown) => {
        failure = publicReason(error);
        const isRefused = hasCode(error, 'INVALID_SETTING') || hasCode(error, 'HISTORY_OF_ANOTHER');
        if (isRefused) failed.reject(error);
        else log.error({ env, error }, 'cluster not followed');
      });
    },
  };
}

function openIndexer(
  { markets, vaults, privateCreditVaults }: Registry,
  { obligations, pollSeconds = DEFAULT_POLL_SECONDS, ...settings }: ClusterSettings,
  target: Pick<IndexerOptions, 'source' | 'state' | 'onSlot' | 'onRollBack' | 'log'>,
): Indexer {
  const { clock, timing, onProgress } = settings;
  const pollMs = pollSeconds * 1_000;
  return createIndexer({
    ...target,
    mode: obligations,
    clock,
    random: Math.random,
    ...(onProgress && { onProgress }),
    lookupTables: markets.map(({ lookupTable }) => lookupTable),
    known: { markets, vaults: [...new Set([...vaults, ...privateCreditVaults])] },
    timing: { pollMs, pollUsersMs: pollMs * POLLS_PER_USER_POLL, ...timing?.indexer },
  });
}

const readsOfHistory = (
  recording: ClusterRecording | undefined,
  hooks: Parameters<typeof openHooks>[0],
): Pick<
  Cluster,
  | 'history'
  | 'vaultHistoryCache'
  | 'recentEvents'
  | 'positionHistory'
  | 'stakePools'
  | 'waitForEvents'
  | 'recordingStatus'
  | 'hooks'
> => ({
  history: recording?.reader,
  vaultHistoryCache: recording?.vaultHistoryCache,
  recentEvents: recording?.recentEvents,
  positionHistory: recording?.positionHistory,
  stakePools: recording && (() => recording.stakePools()),
  waitForEvents: recording && ((...request) => recording.waitForEvents(...request)),
  recordingStatus: recording && (() => recording.status()),
  hooks: recording && openHooks(hooks, recording),
});

const readsOnDemand = (
  indexer: Indexer,
  source: ClusterSource,
): Pick<Cluster, 'marketTables' | 'loadWallet' | 'loadObligation' | 'waitForSlot'> => ({
  marketTables: indexer.marketTables,
  loadWallet: (owner) => source.withPriority('user', () => loadWallet(indexer, owner)),
  loadObligation: (address) => source.withPriority('user', () => indexer.loadObligation(address)),
  waitForSlot: (slot, timeoutMs) => indexer.waitForSlot(toSlot(slot), timeoutMs),
});

export const openSource = (
  { env, rpcUrls, wsUrls, geyser }: ClusterConfig,
  { commitment, clock, log, timing, rpcBudget, onRpcCall, pollSeconds }: ClusterSettings,
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
    budget: rpcBudget?.value,
    onCall: onRpcCall,
    scanMs: (pollSeconds ?? DEFAULT_POLL_SECONDS) * 1_000,
    timing: timing?.source,
  });

export function requestsTo(
  source: ClusterSource,
  blockhashes: BlockhashCache,
): Pick<
  Cluster,
  'readAccounts' | 'findTransaction' | 'latestBlockhash' | 'simulateTransaction' | 'listEpochs'
> {
  const epochTimes = new EpochTimes({ ledger: source.ledger });
  const asUser = <Value>(send: () => Promise<Value>) => source.withPriority('user', send);
  return {
    readAccounts: (...request) => asUser(() => readAccounts(source, ...request)),
    findTransaction: (signature) =>
      asUser(async () => (await source.ledger.getTransactions([signature]))[0]),
    latestBlockhash: () => asUser(() => blockhashes.latest()),
    simulateTransaction: (...request) => asUser(() => source.simulate(...request)),
    // hundreds of calls, of which the request waits for few
    listEpochs: (slot) => source.withPriority('backfill', () => epochTimes.list(slot)),
  };
}

async function readAccounts(
  source: ClusterSource,
  ...request: Parameters<Cluster['readAccounts']>
): Promise<AccountsAtSlot> {
  const [addresses] = request;
  const { slot, accounts } = await source.getAccounts(...request);
  return { slot, accounts: new Map(addresses.map((address, i) => [address, accounts[i]])) };
}
